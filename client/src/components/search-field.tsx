import { Search, X } from 'lucide-solid'
import { createUniqueId, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { IconButton } from './icon-button.tsx'

interface SearchFieldProps {
  label: string
  text: string
  onType: (text: string) => void
  onClear: () => void
  /** One of several on a screen: it fills its box, and no key leads to it. */
  isPlain?: boolean
}

export const SearchField = (props: SearchFieldProps) => {
  const id = createUniqueId()
  let field!: HTMLInputElement
  return (
    <search class={`relative ${props.isPlain ? 'min-w-0' : 'min-w-32 grow basis-0 sm:max-w-90 sm:basis-60'}`}>
      <label for={id} class="sr-only">
        {props.label}
      </label>
      <Search size={18} class="pointer-events-none absolute inset-y-0 left-3 my-auto text-muted" aria-hidden="true" />
      <input
        ref={field}
        id={id}
        type="text"
        inputmode="search"
        enterkeyhint="search"
        autocomplete="off"
        spellcheck={false}
        placeholder={props.label}
        value={props.text}
        onInput={(event) => props.onType(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || props.text === '') return
          event.preventDefault()
          props.onClear()
        }}
        data-shortcut={props.isPlain ? undefined : 'search'}
        class={`h-target-large w-full rounded-card border border-line pr-target-large pl-10 text-small transition-colors hover:border-control ${props.isPlain ? 'bg-bg' : 'bg-surface'}`}
      />
      <Show when={props.text !== ''}>
        <IconButton
          size="small"
          label={t('action.clear')}
          class="absolute inset-y-0 right-1 my-auto"
          onClick={() => {
            props.onClear()
            field.focus()
          }}
        >
          <X size={16} />
        </IconButton>
      </Show>
    </search>
  )
}
