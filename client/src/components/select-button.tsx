import { ListChecks } from 'lucide-solid'
import { Show } from 'solid-js'
import { t } from '../i18n/filters.ts'
import type { Selection } from '../primitives/create-selection.ts'
import { createHoldToSelect } from '../primitives/hold-to-select.ts'
import { createCan } from '../primitives/session.ts'
import { IconButton } from './icon-button.tsx'

/** Begins and ends the selection of several entries, for whoever may do something to them. */
export const SelectButton = (props: { selection: Selection; canMark: boolean }) => {
  const can = createCan()
  const isAllowed = () => props.canMark || can('tag')
  createHoldToSelect(() => props.selection, isAllowed)
  return (
    <Show when={isAllowed()}>
      <IconButton
        data-select-button
        label={t('filters.select')}
        aria-pressed={props.selection.isActive()}
        onClick={() => (props.selection.isActive() ? props.selection.stop() : props.selection.start())}
        class="aria-pressed:bg-accent-soft aria-pressed:text-accent"
      >
        <ListChecks size={18} />
      </IconButton>
    </Show>
  )
}
