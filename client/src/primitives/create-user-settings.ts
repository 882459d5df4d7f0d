import { useQueryClient } from '@tanstack/solid-query'
import { DEFAULT_USER_SETTINGS, type UserSettings } from '../../../src/domain/user-settings.ts'
import { queryKeys } from '../api/query-keys.ts'
import { changeUserSettings, getUserSettings } from '../api/user-settings.ts'
import { t } from '../i18n/translate.ts'
import { createQuery } from './create-query.ts'
import { notify, notifyError } from './notify.ts'

/** What the account prefers. Every change holds at once and is saved by itself; a refused one shows the old state again. */
export const createUserSettings = () => {
  const client = useQueryClient()
  const query = createQuery(() => ({ queryKey: queryKeys.userSettings, queryFn: getUserSettings }))
  const settings = (): UserSettings => (query.isSuccess && query.data ? query.data : DEFAULT_USER_SETTINGS)
  const change = async (changes: Partial<UserSettings>) => {
    client.setQueryData(queryKeys.userSettings, (known: UserSettings | undefined) => known && { ...known, ...changes })
    try {
      await changeUserSettings(changes)
      notify(t('action.saved'))
    } catch (error) {
      notifyError(error)
    }
    await client.invalidateQueries({ queryKey: queryKeys.userSettings })
  }
  return { settings, change: (changes: Partial<UserSettings>) => void change(changes) }
}
