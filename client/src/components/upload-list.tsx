import { X } from 'lucide-solid'
import { For, Show } from 'solid-js'
import { t } from '../i18n/details.ts'
import { createRowFocus } from '../primitives/create-row-focus.ts'
import type { Upload } from '../primitives/create-uploads.ts'
import { IconButton } from './icon-button.tsx'
import { ProgressBar } from './progress-bar.tsx'

interface UploadListProps {
  uploads: readonly Upload[]
  onDismiss: (id: number) => void
  /** What the buttons are in that ask for files: who has dismissed the last row goes on there. */
  buttons: () => HTMLElement | undefined
}

/** What is being uploaded, and what could not be. */
export const UploadList = (props: UploadListProps) => {
  let list: HTMLUListElement | undefined
  const keepPlace = createRowFocus({
    rows: () => props.uploads,
    isBusy: () => false,
    list: () => list,
    heading: () => props.buttons()?.querySelector('button'),
  })
  return (
    <Show when={props.uploads.length > 0}>
      <ul ref={list} class="mb-4 flex flex-col gap-2">
        <For each={props.uploads}>
          {(upload) => (
            <li class="flex items-center gap-3 rounded-card border border-line bg-surface px-4 py-2 text-small">
              <span class="min-w-0 grow truncate">{upload.name}</span>
              <Show
                when={upload.problem}
                fallback={<ProgressBar label={t('upload.progress', upload.name)} value={upload.fraction} class="w-32 shrink-0" />}
              >
                <span role="alert" class="min-w-0 text-caption text-danger">
                  {upload.problem}
                </span>
                <IconButton
                  size="small"
                  label={t('upload.dismiss')}
                  onClick={() => {
                    keepPlace(upload)
                    props.onDismiss(upload.id)
                  }}
                >
                  <X size={16} />
                </IconButton>
              </Show>
            </li>
          )}
        </For>
      </ul>
    </Show>
  )
}
