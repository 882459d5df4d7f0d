import { Key } from '@solid-primitives/keyed'
import { useQueryClient } from '@tanstack/solid-query'
import { GitMerge, Plus, X } from 'lucide-solid'
import { createSignal, Show } from 'solid-js'
import { aiKeys } from '../../api/ai-keys.ts'
import { type AiSuggestion, dismissSuggestion, listSuggestions } from '../../api/ai-suggestions.ts'
import { aiQueueQuery } from '../../api/ai-tagging.ts'
import { IconButton } from '../../components/icon-button.tsx'
import { late } from '../../components/late.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Panel } from '../../components/panel.tsx'
import { t } from '../../i18n/ai-settings.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createRowFocus, onePress } from '../../primitives/create-row-focus.ts'
import { createVocabularyRefresh } from '../../primitives/create-vocabulary-refresh.ts'
import { formatCount } from '../../primitives/format.ts'
import { notifyError } from '../../primitives/notify.ts'
import { onChange } from '../../primitives/on-change.ts'

const SuggestionDialog = late(async () => (await import('./ai-suggestion-dialog.tsx')).AiSuggestionDialog)

const SHOWN_AT_FIRST = 8

/** What models would have liked to use, for people to decide about; nothing where there is none. */
export const AiSuggestions = () => {
  const client = useQueryClient()
  const refreshVocabulary = createVocabularyRefresh()
  const [open, setOpen] = createSignal<{ suggestion: AiSuggestion; become: 'tag' | 'otherName' }>()
  const [categoryId, setCategoryId] = createSignal<number>()
  const [busy, setBusy] = createSignal<string>()
  const [isWhole, setWhole] = createSignal(false)
  const suggestions = createQuery(() => ({ queryKey: aiKeys.suggestions, queryFn: listSuggestions }))
  const all = () => suggestions.data ?? []
  const shown = () => (isWhole() ? all() : all().slice(0, SHOWN_AT_FIRST))
  // The queue is asked for beside this; here it is only heard of.
  const queue = createQuery(() => aiQueueQuery)
  const refresh = () => client.invalidateQueries({ queryKey: aiKeys.suggestions })
  onChange(
    () => queue.data && queue.data.queued + queue.data.running === 0,
    (isIdle) => isIdle && void refresh(),
  )
  let list: HTMLUListElement | undefined
  const keepPlace = createRowFocus({
    rows: () => shown().map(({ name }) => ({ id: name })),
    isBusy: () => busy() !== undefined,
    list: () => list,
    // The section goes with its last row.
    heading: () => document.querySelector('h1'),
  })
  const decide = (suggestion: AiSuggestion, become: 'tag' | 'otherName') => {
    keepPlace({ id: suggestion.name })
    setOpen({ suggestion, become })
  }
  const dismiss = async (name: string) => {
    keepPlace({ id: name })
    setBusy(name)
    try {
      await dismissSuggestion(name)
    } catch (error) {
      notifyError(error)
    }
    await refresh()
    setBusy(undefined)
  }
  return (
    <>
      <Show when={all().length > 0}>
        <Panel title={t('aiSuggestions.title')} lead={t('aiSuggestions.lead')}>
          <ul ref={list} aria-label={t('aiSuggestions.title')} class="divide-y divide-line">
            <Key each={shown()} by="name">
              {(suggestion) => (
                <li class="flex min-h-11 items-center gap-1 py-1">
                  <div class="min-w-0 grow">
                    <p class="text-small font-semibold break-words">{suggestion().name}</p>
                    <p class="text-caption text-muted tabular-nums">{t('aiSuggestions.onItems', suggestion().itemCount)}</p>
                  </div>
                  <IconButton
                    size="small"
                    label={t('aiSuggestions.tag', suggestion().name)}
                    disabled={busy() !== undefined}
                    onClick={() => decide(suggestion(), 'tag')}
                  >
                    <Plus size={16} />
                  </IconButton>
                  <IconButton
                    size="small"
                    label={t('aiSuggestions.otherName', suggestion().name)}
                    disabled={busy() !== undefined}
                    onClick={() => decide(suggestion(), 'otherName')}
                  >
                    <GitMerge size={16} />
                  </IconButton>
                  <IconButton
                    size="small"
                    label={t('aiSuggestions.dismiss', suggestion().name)}
                    disabled={busy() !== undefined}
                    isBusy={busy() === suggestion().name}
                    {...onePress(() => void dismiss(suggestion().name))}
                  >
                    <X size={16} />
                  </IconButton>
                </li>
              )}
            </Key>
          </ul>
          <Show when={all().length > shown().length}>
            <MoreButton list={() => list} size="small" variant="ghost" class="mt-2" onMore={() => setWhole(true)}>
              {t('aiSuggestions.more', formatCount(all().length - shown().length))}
            </MoreButton>
          </Show>
        </Panel>
      </Show>
      <Show when={open()} keyed>
        {(chosen) => (
          <SuggestionDialog
            {...chosen}
            categoryId={categoryId()}
            onCategory={setCategoryId}
            onDecided={() => void Promise.all([refresh(), refreshVocabulary()])}
            onClose={() => setOpen(undefined)}
          />
        )}
      </Show>
    </>
  )
}
