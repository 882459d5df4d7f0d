import { Show } from 'solid-js'
import { isServerReachable } from '../api/http.ts'
import { t } from '../i18n/translate.ts'
import { createDelayed } from '../primitives/create-delayed.ts'

interface ProgressBarProps {
  label: string
  /** From 0 to 1; null while the end is unknown. */
  value: number | null
  /** What a screen reader says instead of the number. */
  text?: string
  class?: string
}

export const ProgressBar = (props: ProgressBarProps) => {
  const percent = () => (props.value === null ? undefined : Math.round(Math.min(1, Math.max(0, props.value)) * 100))
  return (
    <div
      role="progressbar"
      aria-label={props.label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent()}
      aria-valuetext={props.text}
      class={`h-1 overflow-hidden rounded-pill bg-raised ${props.class ?? ''}`}
    >
      <div
        class={`h-full rounded-pill bg-accent ${props.value === null ? 'w-1/3 animate-sweep' : 'transition-[width] duration-300'}`}
        style={percent() === undefined ? undefined : { width: `${percent()}%` }}
      />
    </div>
  )
}

/** Under the head of the page, while what is seen is what was there before. */
export const RefetchBar = (props: { isBusy: boolean | undefined }) => {
  const isLate = createDelayed(() => isServerReachable() && props.isBusy === true)
  return (
    <Show when={isLate()}>
      <ProgressBar label={t('app.loading')} value={null} class="fixed inset-x-0 top-14 z-10 h-0.5! md:left-18 lg:left-58" />
    </Show>
  )
}
