import { type JSX, Show } from 'solid-js'
import { Button } from './button.tsx'

interface FileButtonProps {
  label: string
  icon: JSX.Element
  isMultiple?: boolean
  /** What can be chosen, as in HTML; pictures unless it is said. */
  accept?: string
  isBusy?: boolean
  onChoose: (files: File[]) => void
}

const PICTURES = 'image/*'

/** Lets somebody choose files of their device. */
export const FileButton = (props: FileButtonProps) => {
  let input!: HTMLInputElement
  return (
    <>
      <Button isBusy={props.isBusy} onClick={() => input.click()}>
        <Show when={!props.isBusy}>{props.icon}</Show>
        {props.label}
      </Button>
      <input
        ref={input}
        type="file"
        accept={props.accept ?? PICTURES}
        multiple={props.isMultiple}
        hidden
        aria-hidden="true"
        tabIndex={-1}
        onChange={() => {
          const files = [...(input.files ?? [])]
          // The same file may be chosen again after it failed.
          input.value = ''
          if (files.length > 0) props.onChoose(files)
        }}
      />
    </>
  )
}
