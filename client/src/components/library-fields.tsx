import { For, type JSX } from 'solid-js'
import { LIBRARY_TYPES, type LibraryType } from '../../../src/domain/item-type.ts'
import { t } from '../i18n/manage.ts'
import { LibraryIcon } from './type-icon.tsx'

/** The type of a new library, as cards with what each expects. */
export const LibraryTypeChoice = (props: { value: LibraryType; onSelect: (type: LibraryType) => void }): JSX.Element => (
  <fieldset class="flex flex-col gap-1">
    <legend class="mb-1 text-small font-semibold">{t('manageLibraries.type')}</legend>
    <div class="grid gap-2 sm:grid-cols-2">
      <For each={LIBRARY_TYPES}>
        {(type) => (
          <label class="flex items-center gap-3 rounded-card border border-line bg-bg p-3 transition-colors hover:border-control has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent">
            <input
              type="radio"
              name="library-type"
              class="sr-only"
              checked={props.value === type}
              onChange={() => props.onSelect(type)}
              aria-label={t(`libraryType.${type}`)}
              aria-describedby={`type-hint-${type}`}
            />
            <LibraryIcon type={type} size={22} />
            <span class="flex min-w-0 flex-col">
              <span class="text-small font-semibold">{t(`libraryType.${type}`)}</span>
              <span id={`type-hint-${type}`} class="text-caption text-muted">
                {t(`libraryTypeHint.${type}`)}
              </span>
            </span>
          </label>
        )}
      </For>
    </div>
  </fieldset>
)
