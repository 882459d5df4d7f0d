import { createEffect, createSignal, createUniqueId, onCleanup, onMount, Show } from 'solid-js'
import { downloadUrl } from '../../api/files.ts'
import type { BrowseEntry } from '../../api/types.ts'
import { t } from '../../i18n/viewers.ts'
import { createPictureFailure } from '../../primitives/picture-failure.ts'
import { slideOf } from '../viewer/slide.ts'
import { FeedCaption } from './feed-caption.tsx'
import { FeedVideo } from './feed-video.tsx'

export interface FeedArticleProps {
  entry: BrowseEntry
  /** Of the whole list, from 0. */
  index: number
  /** -1 where nobody counted that far. */
  count: number
  /** How far down the box it stands, in screens. */
  place: number
  isCurrent: boolean
  isNext: boolean
  isMuted: boolean
  isLooping: boolean
  canDownload: boolean
  onElement: (element: HTMLElement) => () => void
  onMutedByBrowser: () => void
  onEnded: () => void
  onUnplayable: () => void
  onVideo: (video: HTMLVideoElement | undefined) => void
}

const FeedPicture = (props: { entry: BrowseEntry }) => {
  const slide = slideOf(props.entry)
  const picture = createPictureFailure()
  const [isBroken, setBroken] = createSignal(false)
  /** Of what has arrived, width by height. */
  const [shape, setShape] = createSignal<number>()
  createEffect(() => {
    // What lies there as its thumbnail may be shown as that.
    if (picture.failure() === 'damaged' && slide.fallbackUrl) setBroken(true)
  })
  return (
    <>
      <img
        src={isBroken() ? (slide.fallbackUrl ?? undefined) : slide.url}
        srcset={isBroken() ? undefined : slide.srcset}
        sizes="100vw"
        alt={slide.title}
        decoding="async"
        draggable={false}
        onError={picture.onError}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
          picture.onLoad()
          if (props.entry.mimeType !== 'image/jpeg' && naturalHeight > 0) setShape(naturalWidth / naturalHeight)
        }}
        class="absolute inset-0 size-full object-contain"
        classList={{ invisible: picture.failure() !== undefined, 'feed-drawing': shape() !== undefined }}
        style={{ '--shape': shape() }}
      />
      <Show when={picture.failure()}>
        {(failure) => (
          <p
            role="status"
            class="pointer-events-none absolute inset-0 m-auto h-fit w-fit max-w-[52ch] p-6 text-center text-small text-muted"
          >
            {t(`lightbox.${failure()}`)}
          </p>
        )}
      </Show>
    </>
  )
}

/** One item on one screen. */
export const FeedArticle = (props: FeedArticleProps) => {
  let element!: HTMLElement
  const titleId = createUniqueId()
  onMount(() => onCleanup(props.onElement(element)))
  return (
    <article
      ref={element}
      // Of all that are drawn one is looked at: Tab leads from it to what can be done with it, and not to the next ones.
      tabIndex={props.isCurrent ? 0 : -1}
      data-index={props.index}
      aria-labelledby={titleId}
      aria-posinset={props.index + 1}
      aria-setsize={props.count}
      class="feed-article absolute inset-x-0 h-dvh overflow-hidden bg-stage"
      style={{ top: `calc(${props.place} * 100dvh)` }}
    >
      <Show when={props.entry.mediaKind === 'video'} fallback={<FeedPicture entry={props.entry} />}>
        <FeedVideo {...props} downloadUrl={props.canDownload ? downloadUrl(props.entry.itemKey) : null} />
      </Show>
      <FeedCaption entry={props.entry} titleId={titleId} isCurrent={props.isCurrent} />
    </article>
  )
}
