import { useQueryClient } from '@tanstack/solid-query'
import { ChevronDown, FolderPlus, Plus } from 'lucide-solid'
import { createSignal, For, Show } from 'solid-js'
import { queryKeys } from '../api/query-keys.ts'
import { createCategory } from '../api/tags.ts'
import type { TagCategory } from '../api/types.ts'
import { t } from '../i18n/tagging.ts'
import { CATEGORY_COLORS } from '../primitives/category-colors.ts'
import { createSubmit } from '../primitives/form-problem.ts'
import { Button } from './button.tsx'
import { CategoryColorField } from './category-color-field.tsx'
import { FormError } from './form-error.tsx'
import { PressButton } from './press-button.tsx'
import { TagDot } from './tag-chip.tsx'
import { TextField } from './text-field.tsx'

interface TagCreationProps {
  /** What the tag would be called; '' where nothing has been typed. */
  name: string
  /** Where it could go, the likeliest first. */
  categories: readonly TagCategory[]
  /** There is no category yet: a tag begins with one. */
  isFirst: boolean
  isAdding: boolean
  onAdding: (isAdding: boolean) => void
  onCreate: (categoryId: number) => void
  onCategory: (category: TagCategory) => void
}

const ROW =
  'flex min-h-target-medium w-full items-center gap-2 rounded-card px-2 text-left text-small transition-colors hover:bg-accent-soft aria-disabled:opacity-50'

const NewCategory = (props: { onMade: (category: TagCategory) => void; onCancel: () => void }) => {
  const client = useQueryClient()
  const [name, setName] = createSignal('')
  const [color, setColor] = createSignal<string>(CATEGORY_COLORS[0])
  const form = createSubmit(async () => {
    const category = await createCategory({ name: name().trim(), color: color() })
    await client.invalidateQueries({ queryKey: queryKeys.tagCategories })
    props.onMade(category)
  })
  return (
    <form
      ref={(element) => queueMicrotask(() => element.scrollIntoView({ block: 'nearest' }))}
      onSubmit={form.submit}
      class="flex flex-col gap-3 rounded-card border border-line p-3"
    >
      <TextField
        ref={(element) => queueMicrotask(() => element.focus())}
        label={t('tags.categoryName')}
        required
        value={name()}
        onInput={(event) => setName(event.currentTarget.value)}
        error={form.problem.ofField('name') ?? form.problem.ofCode('duplicate_name')}
      />
      <CategoryColorField color={color()} onChoose={setColor} />
      <FormError text={form.problem.general({ fields: ['name'], codes: ['duplicate_name'] })} />
      <div class="flex justify-end gap-2">
        <Button size="small" variant="ghost" onClick={() => props.onCancel()}>
          {t('action.cancel')}
        </Button>
        <Button size="small" variant="primary" type="submit" isBusy={form.isBusy()} disabled={name().trim() === ''}>
          {t('action.create')}
        </Button>
      </div>
    </form>
  )
}

interface NewTagsProps extends Pick<TagCreationProps, 'name' | 'onCreate'> {
  categories: readonly TagCategory[]
}

const NewTags = (props: NewTagsProps) => (
  <For each={props.categories}>
    {(category) => (
      // The second half of a double click was meant for what was here before the first.
      <PressButton data-tag-toggle onClick={({ detail }) => detail < 2 && props.onCreate(category.id)} class={ROW}>
        <Plus size={16} class="shrink-0 text-accent" aria-hidden="true" />
        <TagDot category={category} />
        <span class="min-w-0">{t('tags.create', props.name, category.name)}</span>
      </PressButton>
    )}
  </For>
)

/** All of them at once would fill the selector. */
const Elsewhere = (props: NewTagsProps) => {
  const [isOpen, setOpen] = createSignal(false)
  return (
    <>
      <button type="button" data-tag-toggle aria-expanded={isOpen()} onClick={() => setOpen(!isOpen())} class={ROW}>
        <ChevronDown size={16} class={`shrink-0 text-accent transition-transform ${isOpen() ? '' : '-rotate-90'}`} aria-hidden="true" />
        <span class="min-w-0">{t('tags.createElsewhere')}</span>
      </button>
      <Show when={isOpen()}>
        <NewTags {...props} />
      </Show>
    </>
  )
}

/** New tags and new categories, made while tagging. */
export const TagCreation = (props: TagCreationProps) => {
  const others = () => props.categories.slice(1)
  return (
    <div class="-mx-2 flex flex-col">
      <NewTags name={props.name} categories={props.categories.slice(0, 1)} onCreate={props.onCreate} />
      <Show when={others().length > 0}>
        <Elsewhere name={props.name} categories={others()} onCreate={props.onCreate} />
      </Show>
      <Show
        when={props.isAdding}
        fallback={
          <button type="button" data-tag-toggle onClick={() => props.onAdding(true)} class={ROW}>
            <FolderPlus size={16} class="shrink-0 text-accent" aria-hidden="true" />
            <span class="min-w-0">{props.isFirst ? t('tags.createFirst', props.name) : t('tags.newCategory')}</span>
          </button>
        }
      >
        <div class="px-2 pt-1">
          <NewCategory
            onCancel={() => props.onAdding(false)}
            onMade={(category) => {
              props.onAdding(false)
              props.onCategory(category)
            }}
          />
        </div>
      </Show>
    </div>
  )
}
