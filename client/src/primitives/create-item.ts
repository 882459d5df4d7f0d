import type { ItemKey } from '../../../src/domain/item-key.ts'
import { ApiProblem } from '../api/http.ts'
import { getItem } from '../api/items.ts'
import { queryKeys } from '../api/query-keys.ts'
import { createQuery } from './create-query.ts'

/** One whole item; an address that names none fails like an item that does not exist. */
export const createItem = (libraryId: () => number, itemKey: () => ItemKey | undefined) =>
  createQuery(() => {
    const key = itemKey()
    return {
      queryKey: queryKeys.item(libraryId(), key ?? ''),
      queryFn: ({ signal }: { signal: AbortSignal }) => {
        if (key === undefined) throw new ApiProblem(404, 'not_found', '')
        return getItem(key, signal)
      },
    }
  })
