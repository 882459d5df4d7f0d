import { useParams } from '@solidjs/router'
import type { ItemKey } from '../../../src/domain/item-key.ts'
import type { ItemType } from '../../../src/domain/item-type.ts'
import { ApiProblem } from '../api/http.ts'
import { getItem } from '../api/items.ts'
import { queryKeys } from '../api/query-keys.ts'
import type { Item, Library } from '../api/types.ts'
import { createQuery } from './create-query.ts'
import { type Crumb, createCrumbs } from './crumbs.ts'
import { followMoved } from './follow-moved.ts'
import { createLibrary } from './libraries.ts'
import { createPageTitle } from './page-title.ts'
import { entryPath, keyOfSegment, libraryPath } from './paths.ts'

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

/** None before its name is known: a link without words leads nowhere for who hears it. */
export const libraryCrumb = (library: Pick<Library, 'id' | 'name'> | undefined): Crumb[] =>
  library ? [{ label: library.name, href: libraryPath(library.id) }] : []

/** The page of an item right below its library: the item, the title of the page, and the way back. */
export const createItemPage = (type: ItemType) => {
  const params = useParams()
  const libraryId = () => Number(params.lib)
  const key = () => keyOfSegment(type, params.lib, params.id)
  const item = createItem(libraryId, key)
  const { library } = createLibrary(libraryId)
  createPageTitle(() => [item.data?.title, library()?.name])
  createCrumbs(() => libraryCrumb(library()))
  return { item, libraryId, key }
}
