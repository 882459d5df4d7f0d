import { queryKeys } from '../../api/query-keys.ts'
import { deleteCategory, deleteTag, planCategoryDelete, planTagDelete } from '../../api/tags.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FormButtons } from '../../components/form-buttons.tsx'
import { FormError } from '../../components/form-error.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { t } from '../../i18n/manage-tags.ts'
import { createOnward } from '../../primitives/create-onward.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createVocabularyChange } from '../../primitives/create-vocabulary-refresh.ts'
import { createSubmit } from '../../primitives/form-problem.ts'
import { notify } from '../../primitives/notify.ts'
import type { TagSubject } from './tag-subject.ts'

interface TagDeleteDialogProps {
  subject: TagSubject
  onClose: () => void
  /** Where it leads, on a page that goes with the subject. */
  hrefAfter?: string | undefined
}

/** Says what goes with it before it goes. */
export const TagDeleteDialog = (props: TagDeleteDialogProps) => {
  const change = createVocabularyChange()
  const onward = createOnward()
  const isTag = () => props.subject.what === 'tag'
  const plan = createQuery(() => ({
    queryKey: queryKeys.tagPlan(props.subject.what, props.subject.id),
    queryFn: () => (isTag() ? planTagDelete(props.subject.id) : planCategoryDelete(props.subject.id)),
    gcTime: 0,
  }))
  const losing = ({ tags, assignments }: { tags: number; assignments: number }) => {
    const count = t('deleteTags.assignments', assignments)
    if (!isTag()) return t('deleteTags.losingCategory', t('manageTags.tags', tags), count)
    return assignments === 0 ? t('deleteTags.nothing') : t('deleteTags.losing', t('manageTags.usage', assignments))
  }
  const form = createSubmit(
    async () => {
      const { id, name } = props.subject
      const goOn = onward()
      await change(async () => {
        await (isTag() ? deleteTag(id) : deleteCategory(id))
        if (props.hrefAfter) goOn(props.hrefAfter, { replace: true })
      })
      notify(t('deleteTags.done', name))
    },
    () => props.onClose(),
  )
  return (
    <Dialog onClose={props.onClose} title={t('deleteTags.title', props.subject.name)}>
      <form onSubmit={form.submit} class="flex flex-col gap-4">
        <QueryView query={plan} skeleton={<Skeleton class="h-10 w-full" />}>
          {(known) => (
            <div class="flex flex-col gap-1 text-small">
              <p>{losing(known())}</p>
              {known().mappings > 0 && <p class="text-muted">{t('deleteTags.mappings', known().mappings)}</p>}
            </div>
          )}
        </QueryView>
        <FormError text={form.problem.general()} />
        <FormButtons isDanger label={t('deleteTags.submit')} isBusy={form.isBusy()} isReady={plan.isSuccess} onCancel={props.onClose} />
      </form>
    </Dialog>
  )
}
