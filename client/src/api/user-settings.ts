import type { UserSettings } from '../../../src/domain/user-settings.ts'
import { getJson, sendOnly } from './http.ts'

export const getUserSettings = () => getJson<UserSettings>('user-settings')
export const changeUserSettings = (changes: Partial<UserSettings>) => sendOnly('PATCH', 'user-settings', changes)
