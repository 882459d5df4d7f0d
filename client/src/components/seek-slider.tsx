interface SeekSliderProps {
  label: string
  value: number
  max: number
  /** What the value means, for screen readers. */
  valueText: string
  onInput: (value: number) => void
  class?: string
}

/** A native slider: an invented one is no slider to many screen readers. */
export const SeekSlider = (props: SeekSliderProps) => (
  <input
    type="range"
    aria-label={props.label}
    aria-valuetext={props.valueText}
    min={0}
    max={props.max}
    step="any"
    value={props.value}
    onInput={(event) => props.onInput(event.currentTarget.valueAsNumber)}
    class={`seek-slider ${props.class ?? ''}`}
    style={{ '--done': `${props.max > 0 ? (props.value / props.max) * 100 : 0}%` }}
  />
)
