import { CornerLeftUp, Folder, FolderSearch } from 'lucide-solid'
import { createEffect, createSignal, For, Show } from 'solid-js'
import { listFolders } from '../../api/filesystem.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Button } from '../../components/button.tsx'
import { late } from '../../components/late.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TextField } from '../../components/text-field.tsx'
import { t } from '../../i18n/manage.ts'
import { createFolderCheck } from '../../primitives/create-folder-check.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { problemText } from '../../primitives/problem-text.ts'

const Dialog = late(async () => (await import('../../components/dialog.tsx')).Dialog)

const ROW = 'flex h-target-large w-full items-center gap-3 rounded-card px-3 text-left text-small transition-colors hover:bg-raised'

const FolderDialog = (props: { start: string; onChoose: (path: string) => void; onClose: () => void }) => {
  const [path, setPath] = createSignal(props.start)
  const folders = createQuery(() => ({
    queryKey: queryKeys.folders(path()),
    queryFn: ({ signal }) => listFolders(path(), signal),
    retry: false,
  }))
  // What is still to be made is looked for in the nearest folder above it that is there.
  let isFound = false
  createEffect(() => {
    isFound ||= folders.isSuccess
    if (folders.isError && !isFound && path() !== '') setPath(path().replace(/\/*[^/]*\/*$/, ''))
  })
  return (
    <Dialog title={t('pathPicker.title')} onClose={props.onClose}>
      <QueryView
        query={folders}
        skeleton={
          <div class="flex h-80 flex-col gap-2">
            <For each={[1, 2, 3, 4]}>{() => <Skeleton class="h-target-medium w-full" />}</For>
          </div>
        }
      >
        {(listing) => (
          <>
            <p class="mb-2 truncate rounded-card bg-bg px-3 py-2 font-mono text-caption" dir="auto" title={listing().path ?? undefined}>
              {listing().path ?? t('pathPicker.roots')}
            </p>
            <ul class="flex h-72 flex-col overflow-y-auto">
              <Show when={listing().path !== null}>
                <li>
                  <button type="button" class={`${ROW} text-muted`} onClick={() => setPath(listing().parent ?? '')}>
                    <CornerLeftUp size={18} aria-hidden="true" />
                    {t('pathPicker.up')}
                  </button>
                </li>
              </Show>
              <For each={listing().folders} fallback={<li class="px-3 py-2 text-small text-muted">{t('pathPicker.empty')}</li>}>
                {(folder) => (
                  <li>
                    <button type="button" class={ROW} onClick={() => setPath(folder.path)}>
                      <Folder size={18} class="shrink-0 text-accent" aria-hidden="true" />
                      <span class="truncate">{folder.name}</span>
                    </button>
                  </li>
                )}
              </For>
            </ul>
            <div class="mt-4 flex items-center justify-between gap-3 border-t border-line pt-4">
              <span class="text-caption text-muted tabular-nums">{t('pathPicker.found', listing().folders.length)}</span>
              <Button
                variant="primary"
                disabled={listing().path === null}
                onClick={() => {
                  const chosen = listing().path
                  if (chosen !== null) props.onChoose(chosen)
                }}
              >
                {t('pathPicker.choose')}
              </Button>
            </div>
          </>
        )}
      </QueryView>
    </Dialog>
  )
}

interface PathPickerProps {
  value: string
  error: string | undefined
  onChange: (path: string) => void
}

/** A folder on the server, typed or picked. */
export const PathPicker = (props: PathPickerProps) => {
  const [isOpen, setOpen] = createSignal(false)
  const check = createFolderCheck(() => props.value)
  const hint = () => {
    const count = check.count()
    if (count !== undefined) return t('pathPicker.found', count)
    return check.isChecking() ? t('pathPicker.checking') : t('manageLibraries.folderHint')
  }
  const problem = () => {
    const found = check.problem()
    return props.error ?? (found ? problemText(found) : undefined)
  }
  return (
    <div class="flex items-start gap-2">
      <TextField
        class="grow"
        label={t('manageLibraries.folder')}
        hint={hint()}
        name="path"
        required
        spellcheck={false}
        autocapitalize="none"
        autocomplete="off"
        value={props.value}
        error={problem()}
        onInput={(event) => props.onChange(event.currentTarget.value)}
      />
      <Button class="mt-6" onClick={() => setOpen(true)}>
        <FolderSearch size={18} aria-hidden="true" />
        <span class="max-sm:sr-only">{t('pathPicker.browse')}</span>
      </Button>
      <Show when={isOpen()}>
        <FolderDialog
          start={props.value.trim()}
          onClose={() => setOpen(false)}
          onChoose={(path) => {
            props.onChange(path)
            setOpen(false)
          }}
        />
      </Show>
    </div>
  )
}
