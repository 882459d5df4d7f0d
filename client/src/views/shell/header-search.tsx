import { useLocation, useNavigate } from '@solidjs/router'
import { Search } from 'lucide-solid'
import { createUniqueId, Show } from 'solid-js'
import { IconLink } from '../../components/icon-button.tsx'
import { t } from '../../i18n/translate.ts'
import { basePath } from '../../primitives/base-path.ts'
import { SEARCH_PATH, searchPath, withoutBase } from '../../primitives/paths.ts'

/** The way to the search over all libraries: a field where there is room, a link where there is none. */
export const HeaderSearch = () => {
  const id = createUniqueId()
  const location = useLocation()
  const navigate = useNavigate()
  let field!: HTMLInputElement
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const wanted = field.value.trim()
    if (wanted === '') return
    field.value = ''
    field.blur()
    navigate(searchPath(wanted))
  }
  return (
    <Show when={withoutBase(location.pathname, basePath) !== SEARCH_PATH}>
      <search class="hidden w-56 shrink-0 sm:block lg:w-72">
        <form onSubmit={submit} class="relative">
          <label for={id} class="sr-only">
            {t('nav.search')}
          </label>
          <Search size={16} class="pointer-events-none absolute inset-y-0 left-3 my-auto text-muted" aria-hidden="true" />
          <input
            ref={field}
            id={id}
            type="text"
            inputmode="search"
            enterkeyhint="search"
            autocomplete="off"
            spellcheck={false}
            placeholder={t('nav.search')}
            data-shortcut="header-search"
            class="h-target-medium w-full rounded-pill border border-line bg-surface pr-3 pl-9 text-small transition-colors hover:border-control"
          />
        </form>
      </search>
      <IconLink href={SEARCH_PATH} label={t('nav.search')} class="sm:hidden">
        <Search size={20} />
      </IconLink>
    </Show>
  )
}
