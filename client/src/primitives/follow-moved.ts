/** A page whose item has moved goes along: what is done on it is done to the item, and a reload finds it. */

import { useLocation, useNavigate } from '@solidjs/router'
import { useQueryClient } from '@tanstack/solid-query'
import { createEffect } from 'solid-js'
import { queryKeys } from '../api/query-keys.ts'
import type { Item } from '../api/types.ts'

/** `pathOf`: the same page of the item where it is now. */
export const followMoved = (item: { data: Item | undefined }, key: () => string | undefined, pathOf: (moved: Item) => string) => {
  const client = useQueryClient()
  const location = useLocation()
  const navigate = useNavigate()
  createEffect(() => {
    const moved = item.data
    if (!moved || moved.itemKey === key()) return
    // It is known already: nothing on the page has to wait for it.
    client.setQueryData(queryKeys.item(moved.libraryId, moved.itemKey), moved)
    navigate(pathOf(moved) + location.search, { replace: true, scroll: false })
  })
}
