import { splitProps } from 'solid-js'
import { PressButton, type PressButtonProps } from './press-button.tsx'

type IconButtonProps = Omit<PressButtonProps, 'aria-label'> & {
  /** What it does: the accessible name and the tooltip. */
  label: string
  size?: 'small' | 'medium' | 'large'
}

const SIZES = { small: 'size-target-small', medium: 'size-target-large', large: 'size-11' }

export const IconButton = (props: IconButtonProps) => {
  const [own, rest] = splitProps(props, ['label', 'size', 'class', 'children'])
  return (
    <PressButton
      title={own.label}
      {...rest}
      aria-label={own.label}
      class={`inline-flex shrink-0 items-center justify-center rounded-card text-muted transition-colors hover:bg-raised hover:text-fg aria-disabled:opacity-40 aria-disabled:hover:bg-transparent ${SIZES[own.size ?? 'medium']} ${own.class ?? ''}`}
    >
      {own.children}
    </PressButton>
  )
}
