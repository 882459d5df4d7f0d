import { Show } from 'solid-js'
import { takeLostFocus } from '../primitives/create-row-focus.ts'
import { onChange } from '../primitives/on-change.ts'
import { Button } from './button.tsx'
import { FormError } from './form-error.tsx'

interface SaveBarProps {
  isDirty: boolean
  isBusy: boolean
  problem: string | undefined
  text: string
  saveLabel: string
  discardLabel: string
  /** The id of the form that it saves. */
  form: string
  onDiscard: () => void
}

/** Stays at the window's lower edge while a long form has changes that are not saved. */
export const SaveBar = (props: SaveBarProps) => {
  // Its buttons go with it.
  onChange(
    () => props.isDirty,
    (isDirty) => isDirty || takeLostFocus(document.querySelector('h1'), { preventScroll: true }),
  )
  return (
    <Show when={props.isDirty}>
      <div class="sticky bottom-4 z-10 mt-6 flex flex-col gap-3 rounded-card border border-control bg-raised p-3 shadow-raised max-md:safe-bottom-20">
        <FormError text={props.problem} />
        <div class="flex flex-wrap items-center justify-between gap-3">
          <p class="text-small" role="status">
            {props.text}
          </p>
          <div class="flex gap-2 max-sm:w-full max-sm:justify-end">
            <Button variant="ghost" disabled={props.isBusy} onClick={() => props.onDiscard()}>
              {props.discardLabel}
            </Button>
            <Button variant="primary" type="submit" form={props.form} isBusy={props.isBusy}>
              {props.saveLabel}
            </Button>
          </div>
        </div>
      </div>
    </Show>
  )
}
