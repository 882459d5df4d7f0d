import { debounce } from '@solid-primitives/scheduled'
import { createSignal, For, Show } from 'solid-js'
import type { AiActivity } from '../../../../src/domain/ai-activity.ts'
import { aiKeys } from '../../api/ai-keys.ts'
import { previewPrompt } from '../../api/ai-settings.ts'
import { browse } from '../../api/browse.ts'
import { search } from '../../api/search.ts'
import { Dialog } from '../../components/dialog.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Select } from '../../components/select.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { t } from '../../i18n/ai-settings.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { SEARCH_DEBOUNCE_MS } from '../../primitives/create-search-text.ts'
import { createLibraries } from '../../primitives/libraries.ts'

interface AiPromptPreviewProps {
  activity: AiActivity
  prompt: { system: string; instructions: string }
  libraryId?: number | undefined
  onClose: () => void
}

const ITEMS_OFFERED = 20

/** The exact words for an item that is looked for here; the first of the library, until another one is picked. */
export const AiPromptPreview = (props: AiPromptPreviewProps) => {
  const { libraries } = createLibraries()
  const [typed, setTyped] = createSignal('')
  const [q, setQ] = createSignal('')
  const settle = debounce(setQ, SEARCH_DEBOUNCE_MS)
  const type = (text: string) => {
    setTyped(text)
    settle(text.trim())
  }
  const [picked, setPicked] = createSignal('')
  const libraryId = () => props.libraryId ?? libraries().find(({ itemCount }) => itemCount > 0)?.id
  const found = createQuery(() => ({
    queryKey: aiKeys.previewItems(libraryId(), q()),
    queryFn: async ({ signal }) => {
      const id = libraryId()
      if (q() !== '') return (await search({ q: q(), libraryId: props.libraryId, limit: ITEMS_OFFERED }, undefined, signal)).entries
      return id === undefined ? [] : (await browse({ libraryId: id, limit: ITEMS_OFFERED }, undefined, signal)).entries
    },
  }))
  const entries = () => found.data ?? []
  const itemKey = () => entries().find((entry) => entry.itemKey === picked())?.itemKey ?? entries()[0]?.itemKey
  const preview = createQuery(() => ({
    queryKey: aiKeys.preview(itemKey() ?? '', props.activity, props.prompt),
    queryFn: () => previewPrompt({ itemKey: itemKey() ?? '', activity: props.activity, prompt: props.prompt }),
    enabled: itemKey() !== undefined,
    // It is made of settings and of the item besides, which may have been saved a moment ago.
    staleTime: 0,
  }))
  return (
    <Dialog
      width="wide"
      onClose={props.onClose}
      title={t('aiPreview.title', t(`ai.activity.${props.activity}`))}
      lead={t('aiPreview.lead')}
    >
      <div class="flex flex-col gap-4 pt-1">
        <div class="grid gap-3 sm:grid-cols-2">
          <SearchField isPlain label={t('aiPreview.search')} text={typed()} onType={type} onClear={() => type('')} />
          <Show
            when={entries().length > 0}
            fallback={<p class="self-center text-small text-muted">{found.isPending ? '' : t('aiPreview.none')}</p>}
          >
            <Select
              isLabelHidden
              label={t('aiPreview.item')}
              value={itemKey() ?? ''}
              options={entries().map((entry) => ({ value: entry.itemKey, label: entry.title }))}
              onSelect={setPicked}
            />
          </Show>
        </div>
        <Show when={itemKey()} fallback={<p class="py-8 text-center text-small text-muted">{t('aiPreview.pick')}</p>}>
          <QueryView query={preview} skeleton={<Skeleton class="h-60 w-full" />}>
            {(known) => (
              <>
                <Show when={known().pictureSources > 0}>
                  <p class="text-small text-muted">{t('aiPreview.pictures', known().pictureSources)}</p>
                </Show>
                <For each={known().messages}>
                  {(message) => (
                    <section>
                      <h3 class="mb-1 text-small font-semibold">{t(`aiPreview.role.${message.role}`)}</h3>
                      <pre class="rounded-card border border-line bg-bg p-3 font-mono text-caption break-words whitespace-pre-wrap">
                        {message.text}
                      </pre>
                    </section>
                  )}
                </For>
              </>
            )}
          </QueryView>
        </Show>
      </div>
    </Dialog>
  )
}
