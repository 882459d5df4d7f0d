import { createSignal } from 'solid-js'
import type { ReaderSettings } from '../../../src/domain/reader-settings.ts'
import { DEFAULT_USER_SETTINGS, readerDefaults } from '../../../src/domain/user-settings.ts'
import { queryKeys } from '../api/query-keys.ts'
import { getReaderSettings, putReaderSettings } from '../api/reader-settings.ts'
import { userSettingsQuery } from '../api/user-settings.ts'
import { createQuery } from './create-query.ts'
import { notifyError } from './notify.ts'

/** How the series of a volume is read: what was chosen for it, and otherwise the person's own way. */
export const createReaderSettings = (itemKey: () => string) => {
  const person = createQuery(() => userSettingsQuery)
  // They may have been changed in another volume of the series: an answer from the cache would be shown, and sent back.
  const series = createQuery(() => ({
    queryKey: queryKeys.readerSettings(itemKey()),
    queryFn: () => getReaderSettings(itemKey()),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  }))
  /** What was chosen here holds at once, whatever the server has still to answer. */
  const [chosen, setChosen] = createSignal<Partial<ReaderSettings>>()
  const own = (): Partial<ReaderSettings> => chosen() ?? series.data ?? {}
  let saving: Promise<unknown> = Promise.resolve()
  const keep = (next: Partial<ReaderSettings>) => {
    const key = itemKey()
    setChosen(next)
    // One after the other: what was chosen last must be what stays.
    saving = saving.then(() => putReaderSettings(key, next)).catch(notifyError)
  }
  const change = async (changes: Partial<ReaderSettings>, onKept?: () => void) => {
    // What was chosen for it before is not known: saved without it, the change would replace it.
    if (!chosen() && !series.data) {
      const { error } = await series.refetch({ cancelRefetch: false })
      if (error) return notifyError(error)
    }
    keep({ ...own(), ...changes })
    onKept?.()
  }
  return {
    // What failed at first may be asked for again, and for as long as that takes nobody is put out of the volume.
    isReady: () => series.isFetched && person.isFetched,
    settings: (): ReaderSettings => ({
      ...readerDefaults(person.data ?? DEFAULT_USER_SETTINGS),
      ...own(),
    }),
    hasOwn: () => Object.keys(own()).length > 0,
    change: (changes: Partial<ReaderSettings>, onKept?: () => void) => void change(changes, onKept),
    forget: () => keep({}),
  }
}

export type ReaderControl = ReturnType<typeof createReaderSettings>
