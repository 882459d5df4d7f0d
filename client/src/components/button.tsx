import { A } from '@solidjs/router'
import { LoaderCircle } from 'lucide-solid'
import { type JSX, Show, splitProps } from 'solid-js'
import { PressButton, type PressButtonProps } from './press-button.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'
export type ButtonSize = 'small' | 'medium' | 'large'

interface ButtonLook {
  variant?: ButtonVariant
  size?: ButtonSize
}

/** What looks like a button has a border: where the system chooses the colours it is all that is left of a button. */
const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'border border-transparent bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border border-line bg-surface text-fg hover:bg-raised',
  ghost: 'text-muted hover:bg-raised hover:text-fg',
  danger: 'border border-transparent bg-danger text-on-danger hover:opacity-90',
}

const SIZES: Record<ButtonSize, string> = {
  small: 'min-h-target-small min-w-target-small gap-2 px-3 text-small',
  medium: 'min-h-target-large gap-2 px-4 text-small',
  large: 'min-h-11 gap-2 px-6 text-body',
}

const buttonClass = (look: ButtonLook) =>
  `inline-flex max-w-full shrink-0 items-center justify-center rounded-card font-semibold transition-colors select-none aria-disabled:opacity-50 ${VARIANTS[look.variant ?? 'secondary']} ${SIZES[look.size ?? 'medium']}`

export type ButtonProps = PressButtonProps & ButtonLook

export const Button = (props: ButtonProps) => {
  const [own, rest] = splitProps(props, ['variant', 'size', 'class', 'children'])
  return (
    <PressButton {...rest} class={`${buttonClass(own)} ${own.class ?? ''}`}>
      <Show when={props.isBusy}>
        <LoaderCircle size={16} class="animate-spin" aria-hidden="true" />
      </Show>
      {own.children}
    </PressButton>
  )
}

type LinkButtonProps = Omit<JSX.AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & ButtonLook & { href: string }

/** A link to a screen of this client that looks like a button. */
export const LinkButton = (props: LinkButtonProps) => {
  const [own, rest] = splitProps(props, ['variant', 'size', 'class'])
  return <A {...rest} class={`${buttonClass(own)} ${own.class ?? ''}`} />
}

/** A link to bytes of the server (a download), outside the router. */
export const FileLinkButton = (props: LinkButtonProps) => {
  const [own, rest] = splitProps(props, ['variant', 'size', 'class'])
  return <a rel="external" {...rest} class={`${buttonClass(own)} ${own.class ?? ''}`} />
}
