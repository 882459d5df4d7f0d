import { useQueryClient } from '@tanstack/solid-query'
import { createSignal } from 'solid-js'
import { queryKeys } from '../api/query-keys.ts'
import { deleteFromTrash, listTrash, restoreFromTrash, type TrashEntry } from '../api/trash.ts'
import { t } from '../i18n/manage.ts'
import { createPagedQuery } from './create-query.ts'
import { createRefresh } from './create-refresh.ts'
import { notify, notifyError } from './notify.ts'

/** What lies in the trash of one library, or of all, and what can be done with it. */
export const createTrash = (libraryId: () => number | undefined) => {
  const client = useQueryClient()
  const refresh = createRefresh()
  const [busyId, setBusyId] = createSignal<number>()
  const pages = createPagedQuery(() => ({
    queryKey: queryKeys.trashOf(libraryId()),
    queryFn: ({ pageParam }) => listTrash(libraryId(), pageParam),
    staleTime: 0,
  }))
  const act = async (entry: TrashEntry, { work, done }: { work: (id: number) => Promise<unknown>; done: string }) => {
    if (busyId() !== undefined) return
    setBusyId(entry.id)
    const subject = `trash ${entry.id}`
    try {
      await work(entry.id)
      notify(done, subject)
    } catch (error) {
      notifyError(error, undefined, subject)
    }
    await Promise.all([
      client.invalidateQueries({ queryKey: queryKeys.trash }),
      client.invalidateQueries({ queryKey: queryKeys.libraries }),
      refresh(entry.libraryId),
    ])
    setBusyId(undefined)
  }
  return {
    query: pages,
    entries: (): TrashEntry[] => pages.data?.pages.flatMap((page) => page.entries) ?? [],
    busyId,
    restore: (entry: TrashEntry) => void act(entry, { work: restoreFromTrash, done: t('trash.restored', entry.title) }),
    deleteForGood: (entry: TrashEntry) => void act(entry, { work: deleteFromTrash, done: t('trash.deleted', entry.title) }),
  }
}
