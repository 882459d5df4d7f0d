import { createSignal, Show } from 'solid-js'
import { type AiSuggestion, acceptSuggestion } from '../../api/ai-suggestions.ts'
import { categoriesQuery } from '../../api/tags.ts'
import type { TagUsage } from '../../api/types.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FormButtons } from '../../components/form-buttons.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Select } from '../../components/select.tsx'
import { t } from '../../i18n/ai-settings.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createSubmit } from '../../primitives/form-problem.ts'
import { notify } from '../../primitives/notify.ts'
import { TagChoice } from './tag-choice.tsx'

interface AiSuggestionDialogProps {
  suggestion: AiSuggestion
  /** A tag of its own, or another name of one. */
  become: 'tag' | 'otherName'
  /** The category that was chosen the last time: names that are looked through often go to the same one. */
  categoryId: number | undefined
  onCategory: (id: number) => void
  /** Also where somebody else has been faster, and the list is not what it was. */
  onDecided: () => void
  onClose: () => void
}

export const AiSuggestionDialog = (props: AiSuggestionDialogProps) => {
  const categories = createQuery(() => categoriesQuery)
  const [tag, setTag] = createSignal<TagUsage>()
  const isTag = () => props.become === 'tag'
  const category = () => categories.data?.find(({ id }) => id === props.categoryId) ?? categories.data?.[0]
  const target = () => {
    if (!isTag()) return tag() && { tagId: tag()?.id ?? 0 }
    return category() && { categoryId: category()?.id ?? 0 }
  }
  const form = createSubmit(
    async () => {
      const chosen = target()
      if (!chosen) return false
      try {
        const { tag: accepted, assigned } = await acceptSuggestion(props.suggestion.name, chosen)
        notify(t('aiSuggestions.assigned', accepted.name, assigned))
      } finally {
        props.onDecided()
      }
      return true
    },
    (isDone) => isDone && props.onClose(),
  )
  return (
    <Dialog
      onClose={props.onClose}
      title={t(`aiSuggestions.${props.become}`, props.suggestion.name)}
      lead={t(`aiSuggestions.${props.become}Lead`, props.suggestion.itemCount)}
    >
      <form onSubmit={form.submit} class="flex flex-col gap-4">
        <Show when={isTag()} fallback={<TagChoice tag={tag()} onChoose={setTag} />}>
          <Select
            label={t('aiSuggestions.category')}
            value={String(category()?.id ?? '')}
            options={(categories.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
            onSelect={(value) => props.onCategory(Number(value))}
          />
        </Show>
        <FormError text={form.problem.general()} />
        <FormButtons
          label={t(isTag() ? 'action.create' : 'action.add')}
          isBusy={form.isBusy()}
          isReady={target() !== undefined}
          onCancel={props.onClose}
        />
      </form>
    </Dialog>
  )
}
