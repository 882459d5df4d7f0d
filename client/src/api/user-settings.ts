import { parseResponse } from 'hono/client'
import type { UserSettings } from '../../../src/domain/user-settings.ts'
import { api } from './client.ts'
import { queryKeys } from './query-keys.ts'

export const userSettingsQuery = {
  queryKey: queryKeys.userSettings,
  queryFn: (): Promise<UserSettings> => parseResponse(api['user-settings'].$get()),
}
export const changeUserSettings = (json: Partial<UserSettings>) => api['user-settings'].$patch({ json })
