import { createUniqueId, For } from 'solid-js'
import { t } from '../i18n/tagging.ts'
import { CATEGORY_COLORS } from '../primitives/category-colors.ts'

interface CategoryColorFieldProps {
  /** Null for the one that the category gets by itself. */
  color: string | null
  onChoose: (color: string) => void
}

/** The colours that stand out on both themes; one from elsewhere stays until another is chosen. */
export const CategoryColorField = (props: CategoryColorFieldProps) => {
  const name = createUniqueId()
  return (
    <fieldset>
      <legend class="mb-1 text-small font-semibold">{t('tags.color')}</legend>
      <div class="-ml-1 flex flex-wrap gap-1 max-sm:grid max-sm:w-fit max-sm:grid-cols-4">
        <For each={CATEGORY_COLORS}>
          {(choice, index) => (
            <label class="flex size-target-medium cursor-pointer items-center justify-center rounded-card border border-transparent hover:bg-raised has-checked:border-fg has-focus-visible:outline-2 has-focus-visible:outline-accent">
              <input
                type="radio"
                name={name}
                class="sr-only"
                aria-label={t('tags.colorNumber', index() + 1)}
                checked={choice === props.color}
                onChange={() => props.onChoose(choice)}
              />
              <span class="size-5 rounded-pill" style={{ background: choice }} aria-hidden="true" />
            </label>
          )}
        </For>
      </div>
    </fieldset>
  )
}
