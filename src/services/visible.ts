/**
 * Where a person's library grants are checked: every service that takes a library or an item goes through here, so that
 * what somebody may not see does not exist for them, whatever the route.
 */

import { eq } from 'drizzle-orm'
import { libraries } from '../db/schema/libraries.ts'
import { mediaItems } from '../db/schema/media-items.ts'
import type { Deps } from '../deps.ts'
import { parseItemKey } from '../domain/item-key.ts'
import { canSeeLibrary, type Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'

export type LibraryRow = typeof libraries.$inferSelect
export type MediaItemRow = typeof mediaItems.$inferSelect

/** Throws `not_found` where there is no such library, or not for this person. */
export const getVisibleLibrary = async (deps: Deps, viewer: Viewer, libraryId: number): Promise<LibraryRow> => {
  if (!canSeeLibrary(viewer, libraryId)) throw new AppError('not_found')
  const [library] = await deps.db.select().from(libraries).where(eq(libraries.id, libraryId))
  if (!library) throw new AppError('not_found')
  return library
}

/** Throws `not_found` where there is no such item, or not for this person. Missing items are found: they are only not listed. */
export const getVisibleItem = async (deps: Deps, viewer: Viewer, itemKey: string): Promise<MediaItemRow> => {
  const parts = parseItemKey(itemKey)
  if (!parts || !canSeeLibrary(viewer, parts.libraryId)) throw new AppError('not_found')
  const [item] = await deps.db.select().from(mediaItems).where(eq(mediaItems.itemKey, itemKey))
  if (!item) throw new AppError('not_found')
  return item
}
