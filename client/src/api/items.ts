import { parseResponse } from 'hono/client'
import { api } from './client.ts'
import type { Item } from './types.ts'

export const getItem = async (itemKey: string, signal?: AbortSignal): Promise<Item> =>
  (await parseResponse(api.items.$get({ query: { itemKey } }, { init: { signal } }))).item
