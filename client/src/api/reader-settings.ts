import { parseResponse } from 'hono/client'
import type { ReaderSettings } from '../../../src/domain/reader-settings.ts'
import { api } from './client.ts'

/** What was chosen for the series that the item belongs to. */
export const getReaderSettings = async (itemKey: string): Promise<Partial<ReaderSettings>> =>
  (await parseResponse(api.manga['reader-settings'].$get({ query: { itemKey } }))).settings

export const putReaderSettings = (itemKey: string, settings: Partial<ReaderSettings>) =>
  parseResponse(api.manga['reader-settings'].$put({ json: { itemKey, settings } }, { init: { keepalive: true } }))
