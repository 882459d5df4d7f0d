import { useQueryClient } from '@tanstack/solid-query'
import { onMount, Show } from 'solid-js'
import { createLibrary as postLibrary } from '../../api/libraries.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { startScan } from '../../api/scans.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { PageHeading } from '../../components/page-header.tsx'
import { ScanLine } from '../../components/scan-line.tsx'
import { LibraryIcon } from '../../components/type-icon.tsx'
import { t as emptyLibraryText } from '../../i18n/empty-library.ts'
import { t } from '../../i18n/sign-in.ts'
import { createSubmit } from '../../primitives/form-problem.ts'
import { createLibrary } from '../../primitives/libraries.ts'
import { hasFoundNothing } from '../../primitives/scan-facts.ts'
import { NfoUnread } from '../manage/nfo-unread.tsx'
import { ScanWarnings } from '../manage/scan-warnings.tsx'
import type { LibraryDraft } from './setup-library.tsx'

interface ScanStepProps {
  draft: LibraryDraft
  /** The library that has been made of it. */
  libraryId: number | undefined
  onBegun: (libraryId: number) => void
  onBack: () => void
  onOpen: (libraryId: number) => void
}

/** The running scan of the library that has just been made. */
const FirstScan = (props: { libraryId: number; onOpen: (libraryId: number) => void }) => {
  const { library } = createLibrary(() => props.libraryId)
  let open: HTMLButtonElement | undefined
  // It stands in the place of the button that was pressed.
  onMount(() => open?.focus())
  return (
    <div class="flex flex-col gap-4">
      <Show when={library()?.lastScan}>
        {(scan) => (
          <>
            <ScanLine scan={scan()} />
            <Show when={hasFoundNothing(scan()) && library()}>
              {(known) => <p class="text-small text-muted">{emptyLibraryText(`emptyLibrary.expected.${known().type}`)}</p>}
            </Show>
            <ScanWarnings scan={scan()} />
          </>
        )}
      </Show>
      <Show when={library()}>{(known) => <NfoUnread library={known()} />}</Show>
      <Button ref={open} variant="primary" size="large" onClick={() => props.onOpen(props.libraryId)}>
        {t('setup.open')}
      </Button>
    </div>
  )
}

export const ScanStep = (props: ScanStepProps) => {
  const client = useQueryClient()
  /** Where only the scan did not begin, the next press begins it: there can be no second library in the same folder. */
  let made: number | undefined
  const form = createSubmit(async () => {
    const { type, name, path } = props.draft
    made ??= (await postLibrary({ type: type(), name: name().trim(), path: path().trim() })).library.id
    await startScan(made)
    await client.invalidateQueries({ queryKey: queryKeys.libraries })
    props.onBegun(made)
  })
  return (
    <form onSubmit={form.submit} class="flex flex-col gap-4">
      <div>
        <PageHeading>{t('setup.scanHeading')}</PageHeading>
        <p class="text-small text-muted">{t('setup.scanLead')}</p>
      </div>
      <div class="flex items-center gap-4 rounded-card border border-line bg-bg p-4">
        <LibraryIcon type={props.draft.type()} size={28} />
        <div class="min-w-0">
          <p class="truncate font-semibold">{props.draft.name()}</p>
          <p class="text-small text-muted">{t(`libraryType.${props.draft.type()}`)}</p>
          <p class="font-mono text-caption break-all text-muted">{props.draft.path()}</p>
        </div>
      </div>
      <FormError text={form.problem.general()} />
      <Show
        when={props.libraryId}
        fallback={
          <div class="mt-2 flex flex-wrap justify-between gap-3">
            <Button variant="ghost" onClick={() => props.onBack()}>
              {t('action.back')}
            </Button>
            <Button type="submit" variant="primary" isBusy={form.isBusy()}>
              {t('setup.createAndScan')}
            </Button>
          </div>
        }
      >
        {(id) => <FirstScan libraryId={id()} onOpen={props.onOpen} />}
      </Show>
    </form>
  )
}
