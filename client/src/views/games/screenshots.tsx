import { Images } from 'lucide-solid'
import { createSignal, For, lazy, Show, Suspense } from 'solid-js'
import type { Screenshot } from '../../api/types.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Picture } from '../../components/picture.tsx'
import { t } from '../../i18n/details.ts'
import { createViewerState } from '../../primitives/viewer-state.ts'

const Viewer = lazy(() => import('../viewer/viewer.tsx').then(({ Viewer }) => ({ default: Viewer })))

export const Screenshots = (props: { screenshots: readonly Screenshot[]; title: string }) => {
  const viewer = createViewerState()
  const [tiles, setTiles] = createSignal<HTMLUListElement>()
  const index = () => props.screenshots.findIndex(({ name }) => name === viewer.key())
  const slideAt = (target: number) => {
    const screenshot = props.screenshots[target]
    return (
      screenshot && {
        key: screenshot.name,
        title: `${props.title}, ${t('item.screenshot', target + 1)}`,
        kind: 'image' as const,
        url: screenshot.url,
        fallbackUrl: null,
        thumbhash: null,
        downloadUrl: screenshot.url,
        durationSeconds: null,
        facts: [],
      }
    )
  }
  const close = () => {
    const shown = index()
    viewer.close()
    tiles()?.querySelectorAll('button')[shown]?.focus()
  }
  return (
    <Show when={props.screenshots.length > 0} fallback={<EmptyState icon={<Images size={28} />} heading={t('item.noScreenshots')} />}>
      <ul ref={setTiles} class="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-4">
        <For each={props.screenshots}>
          {(screenshot, place) => (
            <li>
              <button
                type="button"
                aria-label={t('item.screenshot', place() + 1)}
                onClick={() => viewer.open(screenshot.name)}
                class="block w-full overflow-hidden rounded-card ring-1 ring-line transition-opacity hover:opacity-90"
              >
                <Picture
                  url={screenshot.url}
                  alt=""
                  sizes="400px"
                  fallback={<Images size={28} class="absolute inset-0 m-auto text-muted" />}
                  class="aspect-16/9 w-full"
                />
              </button>
            </li>
          )}
        </For>
      </ul>
      <Show when={index() >= 0}>
        <Suspense>
          <Viewer
            length={props.screenshots.length}
            slideAt={slideAt}
            index={index()}
            count={props.screenshots.length}
            canDownload={false}
            onMove={(target) => {
              const screenshot = props.screenshots[target]
              if (screenshot) viewer.move(screenshot.name)
            }}
            onClose={close}
          />
        </Suspense>
      </Show>
    </Show>
  )
}
