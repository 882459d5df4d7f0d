import { createSignal, Show } from 'solid-js'
import { t } from '../../i18n/reader.ts'
import { createDelayed } from '../../primitives/create-delayed.ts'
import { createPictureFailure } from '../../primitives/picture-failure.ts'
import { type MangaPage, pageAddress } from '../../primitives/reader-pages.ts'
import { Waiting } from './waiting.tsx'

interface PagePictureProps {
  page: MangaPage
  /** Pixels that the screen can show across. */
  shownWidth: number | undefined
  isSized?: boolean
  onLoad?: () => void
  class: string
}

/** A page, or what keeps it from being shown. Its parent is positioned. */
export const PagePicture = (props: PagePictureProps) => {
  const picture = createPictureFailure()
  const [hasCome, setCome] = createSignal(false)
  const isAwaited = createDelayed(() => !hasCome() && !picture.failure())
  return (
    <>
      <img
        src={pageAddress(props.page, props.shownWidth)}
        alt={t('manga.page', props.page.index + 1)}
        width={(props.isSized && props.page.width) || undefined}
        height={(props.isSized && props.page.height) || undefined}
        decoding={props.isSized ? undefined : 'async'}
        draggable={false}
        onError={picture.onError}
        onLoad={() => {
          picture.onLoad()
          setCome(true)
          props.onLoad?.()
        }}
        class={`block select-none ${props.class}`}
        // A browser draws its own sign of a broken picture, with the text beside it.
        classList={{ invisible: picture.failure() !== undefined }}
      />
      <Show when={isAwaited()}>
        <Waiting />
      </Show>
      <Show when={picture.failure()}>
        {(failure) => (
          <p
            role="status"
            class="pointer-events-none absolute inset-0 m-auto h-fit w-fit max-w-[52ch] rounded-card bg-scrim px-4 py-2 text-center text-small text-fg"
          >
            {t(`reader.failure.${failure()}`)}
          </p>
        )}
      </Show>
    </>
  )
}
