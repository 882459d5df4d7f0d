import { A, type AnchorProps } from '@solidjs/router'
import { splitProps } from 'solid-js'
import { PressButton, type PressButtonProps } from './press-button.tsx'

interface IconLook {
  /** What it does: the accessible name and the tooltip. */
  label: string
  size?: 'small' | 'medium' | 'large'
}

const SIZES = { small: 'size-target-small', medium: 'size-target-large', large: 'size-11' }

/** Of whatever is pressed by its icon; its size comes with it. */
export const ICON_CLASS =
  'inline-flex shrink-0 items-center justify-center rounded-card text-muted transition-colors hover:bg-raised hover:text-fg'

export const IconButton = (props: Omit<PressButtonProps, 'aria-label'> & IconLook) => {
  const [own, rest] = splitProps(props, ['label', 'size', 'class', 'children'])
  return (
    <PressButton
      title={own.label}
      {...rest}
      aria-label={own.label}
      class={`${ICON_CLASS} aria-disabled:opacity-40 aria-disabled:hover:bg-transparent ${SIZES[own.size ?? 'medium']} ${own.class ?? ''}`}
    >
      {own.children}
    </PressButton>
  )
}

/** A link to a screen of this client. */
export const IconLink = (props: AnchorProps & IconLook) => {
  const [own, rest] = splitProps(props, ['label', 'size', 'class'])
  return <A {...rest} title={own.label} aria-label={own.label} class={`${ICON_CLASS} ${SIZES[own.size ?? 'medium']} ${own.class ?? ''}`} />
}
