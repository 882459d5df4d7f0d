import { Key } from '@solid-primitives/keyed'
import { ImagePlus, Images, Trash2 } from 'lucide-solid'
import { createSignal, Show } from 'solid-js'
import { deleteScreenshot, uploadScreenshot } from '../../api/games.ts'
import type { Item } from '../../api/types.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FileButton } from '../../components/file-button.tsx'
import { late } from '../../components/late.tsx'
import { Picture } from '../../components/picture.tsx'
import { UploadList } from '../../components/upload-list.tsx'
import { t } from '../../i18n/details.ts'
import { createRefresh } from '../../primitives/create-refresh.ts'
import { createRowFocus } from '../../primitives/create-row-focus.ts'
import { createUploads } from '../../primitives/create-uploads.ts'
import { notifyError } from '../../primitives/notify.ts'
import { onChange } from '../../primitives/on-change.ts'
import { pictureAt } from '../../primitives/picture-source.ts'
import { createCan } from '../../primitives/session.ts'
import { createUrlLayer } from '../../primitives/url-layer.ts'

const Viewer = late(async () => (await import('../viewer/viewer.tsx')).Viewer)

export const Screenshots = (props: { game: Item }) => {
  const can = createCan()
  const refresh = createRefresh()
  const viewer = createUrlLayer('item')
  const [tiles, setTiles] = createSignal<HTMLUListElement>()
  const screenshots = () => props.game.screenshots ?? []
  const uploads = createUploads({
    target: () => props.game,
    send: ({ itemKey }, file, options) => uploadScreenshot(itemKey, file, options),
  })
  const mayChange = () => can('upload') && props.game.missingSince === null
  let buttons: HTMLDivElement | undefined
  const keepPlace = createRowFocus({
    rows: () => screenshots().map(({ name }) => ({ id: name })),
    isBusy: () => false,
    list: tiles,
    heading: () => buttons?.querySelector('button'),
  })
  const remove = async (name: string) => {
    keepPlace({ id: name })
    try {
      await deleteScreenshot(props.game.itemKey, name)
      await refresh(props.game.libraryId)
    } catch (error) {
      notifyError(error)
    }
  }
  const index = () => screenshots().findIndex(({ name }) => name === viewer.value())
  const slideAt = (target: number) => {
    const screenshot = screenshots()[target]
    return (
      screenshot && {
        key: screenshot.name,
        title: `${props.game.title}, ${t('item.screenshot', target + 1)}`,
        kind: 'image' as const,
        url: screenshot.url,
        fallbackUrl: pictureAt(screenshot.url, 'large'),
        thumbhash: null,
        downloadUrl: screenshot.url,
        durationSeconds: null,
        facts: [],
      }
    )
  }
  // Also after the browser's own Back: the tile that was shown last takes the focus, once the viewer has let go of it.
  onChange(viewer.value, (key, before) => {
    if (key !== undefined) return
    const shown = screenshots().findIndex(({ name }) => name === before)
    tiles()?.querySelectorAll<HTMLElement>('[data-tile]')[shown]?.focus()
  })
  return (
    <>
      <Show when={mayChange()}>
        <div ref={buttons} class="mb-4">
          <FileButton
            isMultiple
            label={t('upload.add')}
            icon={<ImagePlus size={18} aria-hidden="true" />}
            onChoose={(files) => uploads.add(files)}
          />
        </div>
      </Show>
      <UploadList uploads={uploads} buttons={() => buttons} />
      <Show when={screenshots().length > 0} fallback={<EmptyState icon={<Images size={28} />} heading={t('item.noScreenshots')} />}>
        <ul ref={setTiles} class="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-4">
          <Key each={screenshots()} by="name">
            {(screenshot, place) => (
              <li class="relative">
                <button
                  type="button"
                  data-tile
                  aria-label={t('item.screenshot', place() + 1)}
                  onClick={() => viewer.open(screenshot().name)}
                  class="block w-full overflow-hidden rounded-card ring-1 ring-line transition-opacity hover:opacity-90"
                >
                  <Picture
                    url={screenshot().url}
                    alt=""
                    sizes="400px"
                    fallback={<Images size={28} class="absolute inset-0 m-auto text-muted" />}
                    class="aspect-16/9 w-full"
                  />
                </button>
                <Show when={mayChange()}>
                  <ConfirmButton
                    isCompact
                    size="small"
                    class="absolute top-2 right-2 max-w-[calc(100%-1rem)]!"
                    icon={<Trash2 size={16} aria-hidden="true" />}
                    label={t('upload.removeScreenshot', place() + 1)}
                    armedLabel={t('action.delete')}
                    onConfirm={() => void remove(screenshot().name)}
                  />
                </Show>
              </li>
            )}
          </Key>
        </ul>
        <Show when={index() >= 0}>
          <Viewer
            length={screenshots().length}
            slideAt={slideAt}
            index={index()}
            count={screenshots().length}
            canDownload={can('download')}
            onMove={(target) => {
              const screenshot = screenshots()[target]
              if (screenshot) viewer.move(screenshot.name)
            }}
            onClose={viewer.close}
          />
        </Show>
      </Show>
    </>
  )
}
