import { createUniqueId } from 'solid-js'

interface RangeFieldProps {
  label: string
  value: number
  min: number
  max: number
  step: number
  /** What the value means, in words. */
  text: string
  onInput: (value: number) => void
}

/** A native slider under its label: an invented one is no slider to many screen readers. */
export const RangeField = (props: RangeFieldProps) => {
  const id = createUniqueId()
  return (
    <div class="flex min-w-0 flex-col gap-1">
      <div class="flex justify-between gap-2 text-small">
        <label for={id} class="font-semibold">
          {props.label}
        </label>
        <span class="text-muted tabular-nums">{props.text}</span>
      </div>
      <input
        id={id}
        type="range"
        min={props.min}
        max={props.max}
        step={props.step}
        value={props.value}
        aria-valuetext={props.text}
        onInput={(event) => props.onInput(event.currentTarget.valueAsNumber)}
        class="h-6 w-full min-h-finger accent-accent"
      />
    </div>
  )
}
