import { createSignal } from 'solid-js'
import { changeCategory, changeTag, createCategory, createTag } from '../../api/tags.ts'
import type { Tag, TagCategory } from '../../api/types.ts'
import { CategoryColorField } from '../../components/category-color-field.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FormButtons } from '../../components/form-buttons.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Select } from '../../components/select.tsx'
import { TextField } from '../../components/text-field.tsx'
import { t } from '../../i18n/manage-tags.ts'
import { CATEGORY_COLORS } from '../../primitives/category-colors.ts'
import { changedFields } from '../../primitives/changed-fields.ts'
import { createVocabularyChange } from '../../primitives/create-vocabulary-refresh.ts'
import { createSubmit } from '../../primitives/form-problem.ts'

const SHOWN = { fields: ['name'], codes: ['duplicate_name'] }

interface CategoryDialogProps {
  /** The one to change; a new one without. */
  category?: TagCategory | undefined
  /** How many there are: new ones get the colours by turns. */
  count: number
  onClose: () => void
}

export const CategoryDialog = (props: CategoryDialogProps) => {
  const change = createVocabularyChange()
  const before = props.category
  const [name, setName] = createSignal(before?.name ?? '')
  const [color, setColor] = createSignal(
    before ? before.color : (CATEGORY_COLORS[props.count % CATEGORY_COLORS.length] ?? CATEGORY_COLORS[0]),
  )
  const form = createSubmit(
    async () => {
      const chosen = color()
      const input = { name: name().trim(), color: chosen }
      await change(() =>
        before
          ? changeCategory(before.id, changedFields(input, before))
          : createCategory({ ...input, color: chosen ?? CATEGORY_COLORS[0] }),
      )
    },
    () => props.onClose(),
  )
  return (
    <Dialog onClose={props.onClose} title={props.category ? t('manageTags.editCategory') : t('manageTags.newCategory')}>
      <form onSubmit={form.submit} class="flex flex-col gap-4">
        <TextField
          label={t('manageTags.name')}
          autocomplete="off"
          required
          value={name()}
          onInput={(event) => setName(event.currentTarget.value)}
          error={form.problem.ofField('name') ?? form.problem.ofCode('duplicate_name')}
        />
        <CategoryColorField color={color()} onChoose={setColor} />
        <FormError text={form.problem.general(SHOWN)} />
        <FormButtons
          label={props.category ? t('action.save') : t('action.create')}
          isBusy={form.isBusy()}
          isReady={name().trim() !== ''}
          onCancel={props.onClose}
        />
      </form>
    </Dialog>
  )
}

interface TagDialogProps {
  /** The one to change; a new one without. */
  tag?: Tag | undefined
  categoryId: number
  categories: readonly TagCategory[]
  onClose: () => void
}

export const TagDialog = (props: TagDialogProps) => {
  const change = createVocabularyChange()
  const before = props.tag
  const [name, setName] = createSignal(before?.name ?? '')
  const [categoryId, setCategoryId] = createSignal(before?.categoryId ?? props.categoryId)
  const form = createSubmit(
    async () => {
      const input = { name: name().trim(), categoryId: categoryId() }
      await change(() => (before ? changeTag(before.id, changedFields(input, before)) : createTag(input)))
    },
    () => props.onClose(),
  )
  return (
    <Dialog onClose={props.onClose} title={props.tag ? t('manageTags.editTag') : t('manageTags.newTag')}>
      <form onSubmit={form.submit} class="flex flex-col gap-4">
        <TextField
          label={t('manageTags.name')}
          autocomplete="off"
          required
          value={name()}
          onInput={(event) => setName(event.currentTarget.value)}
          error={form.problem.ofField('name') ?? form.problem.ofCode('duplicate_name')}
        />
        <Select
          label={t('manageTags.category')}
          value={String(categoryId())}
          options={props.categories.map((category) => ({ value: String(category.id), label: category.name }))}
          onSelect={(value) => setCategoryId(Number(value))}
        />
        <FormError text={form.problem.general(SHOWN)} />
        <FormButtons
          label={props.tag ? t('action.save') : t('action.create')}
          isBusy={form.isBusy()}
          isReady={name().trim() !== ''}
          onCancel={props.onClose}
        />
      </form>
    </Dialog>
  )
}
