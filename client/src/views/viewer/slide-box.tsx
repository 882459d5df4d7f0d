import { Download } from 'lucide-solid'
import { createEffect, createSignal, type JSX, Match, onCleanup, onMount, Show, Switch } from 'solid-js'
import { Portal } from 'solid-js/web'
import { parseItemKey } from '../../../../src/domain/item-key.ts'
import { FileLinkButton } from '../../components/button.tsx'
import { late } from '../../components/late.tsx'
import type { Played } from '../../components/player-help.tsx'
import { ItemIcon } from '../../components/type-icon.tsx'
import { t } from '../../i18n/viewers.ts'
import { createPlayback } from '../../primitives/create-playback.ts'
import { createFileFailure, type FileFailure } from '../../primitives/file-failure.ts'
import { itemKeyIn } from '../../primitives/picture-failure.ts'
import type { Slide } from './slide.ts'

// Whoever looks at pictures needs no player.
const VideoPlayer = late(async () => (await import('../../components/video-player.tsx')).VideoPlayer)

interface SlideBoxProps {
  /** The engine's box of the slide. */
  mount: HTMLElement
  slide: Slide
  /** A picture that could not be loaded. */
  isBroken: boolean
  canDownload: boolean
  onEnded: () => void
  onUnplayable: () => void
  /** What is played here; undefined once nothing is. */
  onPlayed: (played: Played | undefined) => void
  /** The player is asked for its keys. */
  onHelp: () => void
  /** The server that did not send it, or the disk that it lies on, is there again. */
  onReturn: () => void
}

const VideoBox = (props: SlideBoxProps) => {
  const { itemKey, libraryId } = { itemKey: props.slide.key, libraryId: parseItemKey(props.slide.key)?.libraryId ?? 0 }
  // Not in the attribute: there it would be made anew at each look, and forget that it was distrusted.
  const control = createPlayback({ itemKey: () => itemKey })
  createEffect(() => {
    const playback = control.playback()
    props.onPlayed(playback && { playback })
  })
  onCleanup(() => props.onPlayed(undefined))
  return (
    <VideoPlayer
      item={{ itemKey, libraryId }}
      control={control}
      title={props.slide.title}
      posterUrl={props.slide.fallbackUrl}
      downloadUrl={props.canDownload ? props.slide.downloadUrl : null}
      onEnded={props.onEnded}
      onHelp={props.onHelp}
      onUnplayable={() => {
        props.onPlayed(undefined)
        props.onUnplayable()
      }}
    />
  )
}

const Message = (props: SlideBoxProps & { text: string; children?: JSX.Element }) => (
  <div class="absolute inset-0 flex flex-col items-center justify-center gap-4 p-6 text-center text-muted">
    <ItemIcon itemType="mixed_file" mediaKind={props.slide.kind} size={56} />
    <p class="text-small">{props.text}</p>
    <Show when={props.canDownload && props.slide.downloadUrl}>
      {(url) => (
        <FileLinkButton href={url()} download="" variant="primary">
          <Download size={18} aria-hidden="true" />
          {t('action.download')}
        </FileLinkButton>
      )}
    </Show>
    {props.children}
  </div>
)

const Broken = (props: SlideBoxProps & { textOf: (why: FileFailure) => string }) => {
  const { failure, setFailure, judge } = createFileFailure(
    () => itemKeyIn(props.slide.url),
    () => props.onReturn(),
  )
  onMount(async () => setFailure(await judge()))
  // What is waited for is heard to its end when it comes.
  createEffect(() => failure() === 'damaged' && props.onUnplayable())
  return (
    <Show when={failure()}>
      {(why) => (
        <div role="alert" class="contents">
          <Message {...props} canDownload={props.canDownload && why() === 'damaged'} text={props.textOf(why())} />
        </div>
      )}
    </Show>
  )
}

const AudioBox = (props: SlideBoxProps) => {
  const [hasFailed, setFailed] = createSignal(false)
  const failed = () => <Broken {...props} textOf={(why) => t(`watch.${why}Heading`)} onReturn={() => setFailed(false)} />
  return (
    <Show when={!hasFailed()} fallback={failed()}>
      <div data-controls class="absolute inset-0 flex flex-col items-center justify-center gap-6 p-6">
        <ItemIcon itemType="mixed_file" mediaKind="audio" size={72} />
        {/* biome-ignore lint/a11y/useMediaCaption: the user's own recordings come without captions */}
        <audio src={props.slide.url} controls autoplay onEnded={props.onEnded} onError={() => setFailed(true)} class="w-full max-w-140" />
      </div>
    </Show>
  )
}

/** What is no picture, in the place of the picture. */
export const SlideBox = (props: SlideBoxProps) => (
  <Portal
    mount={props.mount}
    ref={(element) => {
      element.className = 'absolute inset-0'
    }}
  >
    <Switch fallback={<Message {...props} text={t('lightbox.noPreview')} />}>
      <Match when={props.isBroken && !props.slide.missingSince}>
        <Broken {...props} textOf={(why) => t(`lightbox.${why}`)} />
      </Match>
      <Match when={props.slide.kind === 'video'}>
        <VideoBox {...props} />
      </Match>
      <Match when={props.slide.kind === 'audio'}>
        <AudioBox {...props} />
      </Match>
    </Switch>
  </Portal>
)
