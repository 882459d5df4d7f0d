import { Key } from '@solid-primitives/keyed'
import { RotateCcw, X } from 'lucide-solid'
import { createSignal, Show } from 'solid-js'
import { t } from '../i18n/details.ts'
import { createRowFocus, onePress } from '../primitives/create-row-focus.ts'
import type { createUploads, Upload } from '../primitives/create-uploads.ts'
import { IconButton } from './icon-button.tsx'
import { ProgressBar } from './progress-bar.tsx'

interface UploadListProps {
  uploads: Pick<ReturnType<typeof createUploads>, 'dismiss' | 'retry'> & { uploads: () => readonly Upload[] }
  /** What the buttons are in that ask for files: who has dismissed the last row goes on there. */
  buttons: () => HTMLElement | undefined
}

/** What is being uploaded, and what could not be. */
export const UploadList = (props: UploadListProps) => {
  let list: HTMLUListElement | undefined
  const rows = () => props.uploads.uploads()
  /** Sent again. Nothing stands there meanwhile: only what is new is read out, and it may fail for the same reason as another. */
  const [retried, setRetried] = createSignal<number>()
  const isRetrying = () => rows().some(({ id, problem }) => id === retried() && !problem)
  /** Of many files that fail for one reason it is read out once. */
  const problems = () => [...new Set(rows().flatMap(({ problem }) => problem ?? []))].join(' ')
  const keepPlace = createRowFocus({
    rows,
    isBusy: () => false,
    list: () => list,
    heading: () => props.buttons()?.querySelector('button'),
  })
  return (
    <>
      <p role="alert" class="sr-only">
        {isRetrying() ? '' : problems()}
      </p>
      <Show when={rows().length > 0}>
        <ul ref={list} class="mb-4 flex flex-col gap-2">
          <Key each={rows()} by="id">
            {(upload) => (
              <li class="flex items-center gap-3 rounded-card border border-line bg-surface px-4 py-2 text-small">
                {/* On a phone what went wrong stands below the name. */}
                <span class="flex min-w-0 grow flex-wrap items-center gap-x-3">
                  <span class="max-w-full grow truncate">{upload().name}</span>
                  <Show when={upload().problem}>
                    <span class="text-caption text-danger">{upload().problem}</span>
                  </Show>
                </span>
                <Show
                  when={upload().problem}
                  fallback={<ProgressBar label={t('upload.progress', upload().name)} value={upload().fraction} class="w-32 shrink-0" />}
                >
                  <IconButton
                    size="small"
                    label={t('action.retry')}
                    onClick={() => {
                      keepPlace(upload())
                      setRetried(upload().id)
                      props.uploads.retry(upload().id)
                    }}
                  >
                    <RotateCcw size={16} />
                  </IconButton>
                </Show>
                <IconButton
                  size="small"
                  label={t(upload().problem ? 'upload.dismiss' : 'action.cancel')}
                  {...onePress(() => {
                    keepPlace(upload())
                    props.uploads.dismiss(upload().id)
                  })}
                >
                  <X size={16} />
                </IconButton>
              </li>
            )}
          </Key>
        </ul>
      </Show>
    </>
  )
}
