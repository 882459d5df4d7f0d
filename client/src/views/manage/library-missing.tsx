import { useQueryClient } from '@tanstack/solid-query'
import { Eraser } from 'lucide-solid'
import { Show } from 'solid-js'
import { libraryContentsQuery, purgeMissing } from '../../api/library-contents.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Section } from '../../components/section.tsx'
import { t } from '../../i18n/manage.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { takeLostFocus } from '../../primitives/create-row-focus.ts'
import { createSubmit } from '../../primitives/form-problem.ts'
import { notify } from '../../primitives/notify.ts'

/** What a library has lost, and the button that forgets it; nothing where it has lost nothing. */
export const LibraryMissing = (props: { libraryId: number; isScanning: boolean }) => {
  const client = useQueryClient()
  const contents = createQuery(() => libraryContentsQuery(props.libraryId))
  const items = () => t('manageLibraries.itemCount', contents.data?.missing ?? 0)
  const purge = createSubmit(async () => {
    const id = props.libraryId
    const forgotten = await purgeMissing(id)
    await client.invalidateQueries({ queryKey: queryKeys.libraryContent(id) })
    takeLostFocus(document.querySelector('h1'))
    notify(t('manageLibraries.purged', t('manageLibraries.itemCount', forgotten)))
  })
  return (
    <Show when={contents.data?.missing}>
      <Section title={t('manageLibraries.missing')}>
        <div class="flex flex-wrap items-center justify-between gap-4 rounded-card border border-line bg-surface p-4">
          <p class="max-w-[60ch] text-small tabular-nums">
            {t('manageLibraries.missingLead', items(), t('manageLibraries.tagCount', contents.data?.missingAssignments ?? 0))}
          </p>
          <FormError text={purge.problem.general()} />
          <ConfirmButton
            label={t('manageLibraries.purge')}
            armedLabel={t('manageLibraries.purgeArmed', items())}
            icon={<Eraser size={18} aria-hidden="true" />}
            isBusy={purge.isBusy()}
            disabled={props.isScanning}
            onConfirm={() => purge.submit()}
          />
        </div>
      </Section>
    </Show>
  )
}
