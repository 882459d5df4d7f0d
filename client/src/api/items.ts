import { type InferResponseType, parseResponse } from 'hono/client'
import { api } from './client.ts'
import { queryKeys } from './query-keys.ts'
import type { Item } from './types.ts'

const deletePlan = api.items['delete-plan']

/** What deleting an item would take from the disk. */
export type DeletePlan = InferResponseType<typeof deletePlan.$get, 200>

/** Also by the address that it had before it moved: `itemKey` is where it is now. */
export const getItem = async (itemKey: string, signal?: AbortSignal): Promise<Item> =>
  (await parseResponse(api.items.$get({ query: { itemKey, moved: '1' } }, { init: { signal } }))).item
export const getDeletePlan = (itemKey: string): Promise<DeletePlan> => parseResponse(deletePlan.$get({ query: { itemKey } }))
export const deleteItem = (itemKey: string) => api.items.$delete({ query: { itemKey } })

export const itemQuery = (libraryId: number, itemKey: string) => ({
  queryKey: queryKeys.item(libraryId, itemKey),
  queryFn: ({ signal }: { signal: AbortSignal }) => getItem(itemKey, signal),
})
