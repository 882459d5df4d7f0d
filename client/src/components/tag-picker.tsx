import { createSignal, For, Show } from 'solid-js'
import type { TagUsage } from '../api/types.ts'
import { t } from '../i18n/manage-tags.ts'
import { createTagChoices } from '../primitives/create-tag-choices.ts'
import { ErrorCard } from './error-card.tsx'
import { SearchField } from './search-field.tsx'
import { TagAlias } from './tag-alias.tsx'
import { TagDot } from './tag-chip.tsx'

interface TagPickerProps {
  label: string
  /** Not to be chosen. */
  exceptId?: number
  onChoose: (tag: TagUsage) => void
}

/** One tag out of any number: those that are used most, as far as they match. */
export const TagPicker = (props: TagPickerProps) => {
  const [text, setText] = createSignal('')
  const choices = createTagChoices({ text, categoryId: () => undefined })
  const tags = () => choices.tags().filter(({ id }) => id !== props.exceptId)
  return (
    <div class="flex flex-col gap-2">
      <SearchField isPlain label={props.label} text={text()} onType={setText} onClear={() => setText('')} />
      <Show
        when={!choices.list.isLoadingError}
        fallback={
          <Show when={choices.list.error}>{(error) => <ErrorCard error={error()} onRetry={() => void choices.list.refetch()} />}</Show>
        }
      >
        <ul class="max-h-64 divide-y divide-line overflow-y-auto rounded-card border border-line">
          <For
            each={tags()}
            fallback={
              <Show when={choices.isCurrent()}>
                <li class="px-3 py-3 text-small text-muted">
                  {text().trim() === '' ? t('mergeTags.none') : t('manageTags.noMatch', text().trim())}
                </li>
              </Show>
            }
          >
            {(tag) => (
              <li>
                <button
                  type="button"
                  onClick={() => props.onChoose(tag)}
                  class="flex min-h-target-large w-full items-center gap-3 px-3 text-left text-small transition-colors hover:bg-accent-soft"
                >
                  <TagDot category={{ id: tag.categoryId, color: tag.color }} />
                  <span class="flex min-w-0 grow flex-col">
                    <span class="truncate">{tag.name}</span>
                    <TagAlias alias={tag.alias} />
                  </span>
                  <span class="max-w-1/2 shrink-0 truncate text-caption text-muted">{tag.categoryName}</span>
                </button>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </div>
  )
}
