import { useNavigate } from '@solidjs/router'
import { useQueryClient } from '@tanstack/solid-query'
import { Trash2 } from 'lucide-solid'
import { createSignal, Show } from 'solid-js'
import { type DeletePlan, deleteItem, getDeletePlan } from '../api/items.ts'
import { queryKeys } from '../api/query-keys.ts'
import type { Item } from '../api/types.ts'
import { t } from '../i18n/details.ts'
import { createOnward } from '../primitives/create-onward.ts'
import { createRefresh } from '../primitives/create-refresh.ts'
import { createSubmit } from '../primitives/form-problem.ts'
import { formatBytes } from '../primitives/format.ts'
import { createLibrary, isScanActive } from '../primitives/libraries.ts'
import { notify, notifyDone } from '../primitives/notify.ts'
import { libraryPath } from '../primitives/paths.ts'
import { createCan } from '../primitives/session.ts'
import { ConfirmButton } from './confirm-button.tsx'
import { FormError } from './form-error.tsx'

const planText = ({ folder, files, bytes, trashDays }: DeletePlan): string => {
  const what = t('item.deletePlan', folder, t('item.fileCount', files), formatBytes(bytes))
  return `${what} ${trashDays > 0 ? t('item.deleteKept', t('item.dayCount', trashDays)) : t('item.deleteForGood')}`
}

/** Takes a film's or a series' folder from the disk, in two clicks; between them stands what would go. */
export const DeleteFolder = (props: { item: Item }) => {
  const client = useQueryClient()
  const can = createCan()
  const navigate = useNavigate()
  const onward = createOnward()
  const refresh = createRefresh()
  const { library } = createLibrary(() => props.item.libraryId)
  const [plan, setPlan] = createSignal<DeletePlan>()
  const form = createSubmit(async () => {
    const { title, libraryId, itemKey } = props.item
    const isKept = (plan()?.trashDays ?? 0) > 0
    const goOn = onward()
    await deleteItem(itemKey)
    goOn(libraryPath(libraryId), { replace: true })
    if (isKept) notifyDone(t('item.trashed', title), { label: t('item.openTrash'), run: () => navigate('/trash') })
    else notify(t('item.deleted', title))
    await refresh(libraryId, itemKey)
    // Whoever goes forward to its page again does not find it there.
    client.removeQueries({ queryKey: queryKeys.item(libraryId, itemKey) })
  })
  const prepare = async (): Promise<boolean> => {
    form.problem.clear()
    try {
      setPlan(await getDeletePlan(props.item.itemKey))
      return true
    } catch (error) {
      form.problem.set(error)
      return false
    }
  }
  return (
    <Show when={can('delete') && props.item.missingSince === null && library()?.available !== false}>
      <section class="mt-12 flex flex-col gap-4 rounded-card border border-line p-4">
        <div class="flex flex-wrap items-center justify-between gap-4">
          <div class="min-w-0">
            <h2 class="text-body font-semibold">{t('item.deleteFolder')}</h2>
            <p class="max-w-[60ch] text-small text-muted" aria-live="polite">
              <Show when={plan()} fallback={t('item.deleteFolderLead')}>
                {(known) => <>{planText(known())}</>}
              </Show>
            </p>
          </div>
          <ConfirmButton
            label={t('item.deleteFolder')}
            armedLabel={t('item.deleteArmed', t('item.fileCount', plan()?.files ?? 0))}
            icon={<Trash2 size={18} aria-hidden="true" />}
            isBusy={form.isBusy()}
            // A scan that is walking through the folder would be pulled the ground from under.
            disabled={isScanActive(library()?.lastScan ?? null)}
            prepare={prepare}
            onConfirm={() => form.submit()}
          />
        </div>
        <FormError text={form.problem.general()} />
      </section>
    </Show>
  )
}
