import { Check, CircleCheck } from 'lucide-solid'
import { Show } from 'solid-js'
import { t } from '../i18n/marks.ts'
import { createMarks, type Markable } from '../primitives/create-marks.ts'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'

interface MarksButtonProps {
  of: Markable
  /** All of it has been seen: the button says the contrary. */
  isDone: boolean
  /** In a row of other small ones. */
  isSmall?: boolean
}

/** Marks a season, a series or a selection as watched or read, or as neither. */
export const MarksButton = (props: MarksButtonProps) => {
  const marks = createMarks()
  const toggle = () => void marks.mark(props.of, !props.isDone)
  const undone = () => (props.of.isReading ? t('marks.asUnread') : t('marks.asUnwatched'))
  const label = () => (props.of.isReading ? t('marks.asRead') : t('marks.asWatched'))
  return (
    <Show
      when={props.isSmall}
      fallback={
        <Button size="large" isBusy={marks.isBusy()} title={label()} aria-pressed={props.isDone} class="max-xl:px-4" onClick={toggle}>
          <Show when={!marks.isBusy()}>
            <Check size={18} class={props.isDone ? 'text-success' : 'text-muted'} aria-hidden="true" />
          </Show>
          <span class="max-xl:sr-only">{props.isDone ? t(props.of.isReading ? 'entry.read' : 'entry.watched') : label()}</span>
        </Button>
      }
    >
      <IconButton label={props.isDone ? undone() : label()} isBusy={marks.isBusy()} onClick={toggle}>
        <CircleCheck size={20} class={props.isDone ? 'text-success' : ''} />
      </IconButton>
    </Show>
  )
}
