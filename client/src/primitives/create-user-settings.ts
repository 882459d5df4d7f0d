import { useQueryClient } from '@tanstack/solid-query'
import { DEFAULT_USER_SETTINGS, type UserSettings } from '../../../src/domain/user-settings.ts'
import { queryKeys } from '../api/query-keys.ts'
import { changeUserSettings, userSettingsQuery } from '../api/user-settings.ts'
import { t } from '../i18n/translate.ts'
import { createChanges } from './create-changes.ts'
import { createQuery } from './create-query.ts'
import { notify, notifyError } from './notify.ts'

const withChanges = (settings: UserSettings, changes: Partial<UserSettings>): UserSettings => ({ ...settings, ...changes })

/** What the account prefers. Every change holds at once and is saved by itself; a refused one shows the old state again. */
export const createUserSettings = () => {
  const client = useQueryClient()
  const query = createQuery(() => userSettingsQuery)
  const { shown, change } = createChanges({
    saved: (): UserSettings => query.data ?? DEFAULT_USER_SETTINGS,
    apply: withChanges,
    save: async (changes: Partial<UserSettings>) => {
      await changeUserSettings(changes)
      notify(t('action.saved'))
    },
    tellRefusal: notifyError,
    refresh: () => client.invalidateQueries({ queryKey: queryKeys.userSettings }),
  })
  return {
    settings: shown,
    change: (changes: Partial<UserSettings>) => {
      change(changes)
      // For the other screens, and for what follows the settings everywhere: the theme, the language.
      const known = client.setQueryData(
        queryKeys.userSettings,
        (before: UserSettings | undefined) => before && withChanges(before, changes),
      )
      // An answer that is under way knows nothing of it.
      if (known) void client.cancelQueries({ queryKey: queryKeys.userSettings })
    },
  }
}
