import { type JSX, splitProps } from 'solid-js'

export type PressButtonProps = Omit<JSX.ButtonHTMLAttributes<HTMLButtonElement>, 'onClick'> & {
  onClick?: ((event: MouseEvent & { currentTarget: HTMLButtonElement; target: Element }) => void) | undefined
  isBusy?: boolean | undefined
}

/**
 * A button that takes no press while it is switched off or at work, and keeps the focus meanwhile: what HTML calls disabled
 * leaves it to the page, and whoever presses keys begins at its top again.
 */
export const PressButton = (props: PressButtonProps) => {
  const [own, rest] = splitProps(props, ['disabled', 'isBusy', 'onClick'])
  const isOff = () => own.disabled || own.isBusy
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={isOff() ? 'true' : undefined}
      aria-busy={own.isBusy ? 'true' : undefined}
      onClick={(event) => {
        // Enter in a form's field presses the button that submits it.
        if (isOff()) event.preventDefault()
        else own.onClick?.(event)
      }}
    />
  )
}
