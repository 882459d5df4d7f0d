import { useParams } from '@solidjs/router'
import type { ItemKey } from '../../../src/domain/item-key.ts'
import { ApiProblem } from '../api/http.ts'
import { getItem } from '../api/items.ts'
import { queryKeys } from '../api/query-keys.ts'
import type { Item } from '../api/types.ts'
import { createQuery } from './create-query.ts'
import { followMoved } from './follow-moved.ts'
import { entryPath } from './paths.ts'

/** One whole item, for a page of it; an address that names none fails like an item that does not exist. */
export const createItem = (libraryId: () => number, itemKey: () => ItemKey | undefined) => {
  const params = useParams()
  const query = createQuery<Item>(() => {
    const key = itemKey()
    return {
      queryKey: queryKeys.item(libraryId(), key ?? ''),
      queryFn: ({ signal }) => {
        if (key === undefined) throw new ApiProblem(404, 'not_found', '')
        return getItem(key, signal)
      },
    }
  })
  const seasonOf = ({ itemType }: Item) => (itemType === 'tv_series' && params.n ? `/season/${params.n}` : '')
  followMoved(query, itemKey, (moved) => entryPath(moved) + seasonOf(moved))
  return query
}
