import { A, useLocation, useNavigate } from '@solidjs/router'
import { ChevronRight, Files, Folder, FolderX } from 'lucide-solid'
import { For, Show } from 'solid-js'
import { baseNameOf, folderOf } from '../../../../src/domain/relative-path.ts'
import { listMixedFolders } from '../../api/mixed.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { Library } from '../../api/types.ts'
import { LinkButton } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Picture } from '../../components/picture.tsx'
import { SegmentedControl } from '../../components/segmented-control.tsx'
import { t } from '../../i18n/folders.ts'
import { createQuery } from '../../primitives/create-query.ts'
import type { FolderView } from '../../primitives/folder-view.ts'
import { whenIdle } from '../../primitives/idle.ts'
import { onChange } from '../../primitives/on-change.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { libraryPath } from '../../primitives/paths.ts'

interface MixedFoldersProps {
  library: Library
  view: FolderView
  isFiltered: boolean
  /** The folder holds no file of its own. */
  isEmpty: boolean
}

/** Every folder from the root down to this one. */
const waysTo = (path: string): string[] => (path === '' ? [''] : [...waysTo(folderOf(path)), path])

/** How a mixed library is gone through: all of it at once, or folder by folder. Above the files of the folder stand its folders. */
export const MixedFolders = (props: MixedFoldersProps) => {
  const location = useLocation()
  const navigate = useNavigate()
  let here: HTMLElement | undefined
  const folder = () => props.view.folder()
  const nameOf = (path: string) => baseNameOf(path) || props.library.name
  createPageTitle(() => [folder() && nameOf(folder() ?? ''), props.library.name])
  const addressOf = (path: string | undefined) => {
    const search = new URLSearchParams(location.search)
    for (const name of ['item', 'folder']) search.delete(name)
    const named = props.view.named(path)
    if (named !== null) search.set('folder', named)
    return `${libraryPath(props.library.id)}?${search}`
  }
  const answer = createQuery(() => ({
    queryKey: queryKeys.mixedFolders(props.library.id, folder() ?? ''),
    queryFn: ({ signal }) => listMixedFolders(props.library.id, folder() ?? '', signal),
    enabled: folder() !== undefined,
  }))
  const folders = () => answer.data?.folders ?? []
  const isGone = () => Boolean(folder()) && props.isEmpty && !props.isFiltered && answer.isSuccess && folders().length === 0
  // What was pressed is gone with the folder that it led to.
  onChange(folder, () => {
    if (document.activeElement === document.body) here?.focus({ preventScroll: true })
  })
  // Most who come here open a picture, which would wait for its viewer. Nobody has asked for it yet: that it cannot be had is said to who does.
  if (!navigator.connection?.saveData) {
    void whenIdle()
      .then(() => import('./mixed-viewer.tsx'))
      .catch(() => undefined)
  }
  return (
    <>
      <div class="mb-4 flex min-h-11 flex-wrap items-center gap-x-4 gap-y-2">
        <SegmentedControl<'all' | 'folders'>
          label={t('folders.show')}
          value={folder() === undefined ? 'all' : 'folders'}
          options={[
            { value: 'all', label: t('folders.all'), short: t('folders.all'), icon: <Files size={16} aria-hidden="true" /> },
            { value: 'folders', label: t('folders.folders'), short: t('folders.folders'), icon: <Folder size={16} aria-hidden="true" /> },
          ]}
          onSelect={(shown) => {
            props.view.remember(shown)
            navigate(addressOf(shown === 'all' ? undefined : ''))
          }}
        />
        <Show when={folder() !== undefined}>
          <nav aria-label={t('folders.way')} class="min-w-0">
            <ol class="flex flex-wrap items-center gap-1 text-small">
              <For each={waysTo(folder() ?? '')}>
                {(way) => (
                  <li class="flex min-w-0 items-center gap-1">
                    <Show when={way !== ''}>
                      <ChevronRight size={14} class="shrink-0 text-muted" aria-hidden="true" />
                    </Show>
                    <Show
                      when={way !== folder()}
                      fallback={
                        <span ref={here} tabindex={-1} aria-current="location" class="font-semibold wrap-anywhere">
                          {nameOf(way)}
                        </span>
                      }
                    >
                      <A
                        href={addressOf(way)}
                        class="flex min-h-finger items-center rounded-chip text-muted wrap-anywhere hover:text-accent"
                      >
                        {nameOf(way)}
                      </A>
                    </Show>
                  </li>
                )}
              </For>
            </ol>
          </nav>
        </Show>
      </div>
      <Show when={folder() !== undefined && props.isFiltered}>
        <p class="mb-4 text-small text-muted">{t('folders.below', nameOf(folder() ?? ''))}</p>
      </Show>
      <Show when={folder() !== undefined && !props.isFiltered && folders().length > 0}>
        <ul aria-label={t('folders.list')} class="mb-6 grid grid-cols-[repeat(auto-fill,minmax(min(100%,13rem),1fr))] gap-3 max-sm:gap-2">
          <For each={folders()}>
            {(child) => (
              <li>
                <A
                  href={addressOf(child.path)}
                  title={child.name}
                  class="flex min-h-18 overflow-hidden rounded-card border border-line bg-surface transition-colors hover:border-control hover:bg-raised"
                >
                  <Picture
                    url={child.thumbnailUrl ?? null}
                    thumbhash={child.thumbhash}
                    alt=""
                    sizes="96px"
                    fallback={<Folder size={24} class="absolute inset-0 m-auto text-muted" aria-hidden="true" />}
                    class="w-24 shrink-0 max-sm:w-18"
                  />
                  <span class="min-w-0 self-center px-3 py-2">
                    <span class="line-clamp-2 text-small font-semibold wrap-anywhere">{child.name}</span>
                    <span class="block text-caption text-muted tabular-nums">{t('folders.items', child.itemCount)}</span>
                  </span>
                </A>
              </li>
            )}
          </For>
        </ul>
      </Show>
      <Show when={isGone()}>
        <EmptyState icon={<FolderX size={28} />} heading={t('folders.goneHeading')} text={t('folders.gone')}>
          <LinkButton href={addressOf(folderOf(folder() ?? ''))}>{t('folders.up', nameOf(folderOf(folder() ?? '')))}</LinkButton>
        </EmptyState>
      </Show>
    </>
  )
}
