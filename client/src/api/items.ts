import { getJson } from './http.ts'
import type { Item } from './types.ts'

export const getItem = async (itemKey: string, signal?: AbortSignal) => (await getJson<{ item: Item }>('items', { itemKey }, signal)).item
