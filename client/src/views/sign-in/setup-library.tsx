import { useQueryClient } from '@tanstack/solid-query'
import { createSignal } from 'solid-js'
import { LIBRARY_TYPES, type LibraryType } from '../../../../src/domain/item-type.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Button } from '../../components/button.tsx'
import { LibraryTypeChoice } from '../../components/library-fields.tsx'
import { PageHeading } from '../../components/page-header.tsx'
import { TextField } from '../../components/text-field.tsx'
import { t } from '../../i18n/sign-in.ts'
import { createUrlState } from '../../primitives/create-url-state.ts'
import { PathPicker } from '../manage/path-picker.tsx'

/** The first library while it is being described: kept here so that Back loses nothing, and in the address for a page that is loaded anew. */
export const createLibraryDraft = () => {
  const { get, change } = createUrlState()
  const createPart = <Value extends string | undefined>(key: string, initial: Value) => {
    const [value, setValue] = createSignal(initial)
    return [
      value,
      (next: Exclude<Value, undefined>) => {
        setValue(() => next)
        change({ [key]: next }, { replace: true })
      },
    ] as const
  }
  const [type, setType] = createPart<LibraryType>('type', LIBRARY_TYPES.find((known) => known === get('type')) ?? 'movies')
  const [typedName, setName] = createPart<string | undefined>('name', get('name') || undefined)
  const [path, setPath] = createPart<string>('path', get('path'))
  const name = () => typedName() ?? t(`libraryType.${type()}`)
  const isComplete = () => name().trim() !== '' && path().trim() !== ''
  return { type, setType, name, setName, path, setPath, isComplete }
}

export type LibraryDraft = ReturnType<typeof createLibraryDraft>

interface LibraryStepProps {
  draft: LibraryDraft
  onContinue: () => void
  onLater: () => void
}

export const LibraryStep = (props: LibraryStepProps) => {
  const client = useQueryClient()
  return (
    <form
      class="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        const wrong = event.currentTarget.querySelector<HTMLElement>('[aria-invalid]')
        if (!wrong) return props.onContinue()
        wrong.focus()
        // It may have been made meanwhile.
        void client.refetchQueries({ queryKey: queryKeys.folders(props.draft.path().trim()) })
      }}
    >
      <div>
        <PageHeading>{t('setup.libraryHeading')}</PageHeading>
        <p class="text-small text-muted">{t('manageLibraries.addLead')}</p>
      </div>
      <LibraryTypeChoice value={props.draft.type()} onSelect={props.draft.setType} />
      <TextField
        label={t('field.name')}
        name="name"
        required
        autocomplete="off"
        value={props.draft.name()}
        onInput={(event) => props.draft.setName(event.currentTarget.value)}
      />
      <PathPicker value={props.draft.path()} error={undefined} onChange={props.draft.setPath} />
      <div class="mt-2 flex flex-wrap justify-between gap-3">
        <Button variant="ghost" onClick={() => props.onLater()}>
          {t('setup.later')}
        </Button>
        <Button type="submit" variant="primary" disabled={!props.draft.isComplete()}>
          {t('setup.continue')}
        </Button>
      </div>
    </form>
  )
}
