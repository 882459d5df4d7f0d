/** Pages that need no thread: out of a zip or a folder, of no great size, and sent as they are. */

import type { PageBytes, VersionedVolume } from '../deps.ts'
import type { Pages } from '../media/archive-pages.ts'
import { shownTypeOf } from '../media/picture-format.ts'

const MAX_LIGHT_BYTES = 8 * 1024 * 1024
/** So many at once: each may take as much memory as it is large. */
const MAX_LIGHT_READS = 4

type ReadLightPage = (volume: VersionedVolume, index: number) => Promise<PageBytes | null>

/** Null for any other page, and where anything is wrong with it: a thread finds out what. */
export const createLightPages = (): ReadLightPage => {
  let reads = 0
  return async ({ root, path, stamp }, index) => {
    if (reads >= MAX_LIGHT_READS) return null
    reads += 1
    let pages: Pages | null = null
    try {
      // Only now: who reads no manga starts without it.
      const { openLightPages } = await import('../media/archive-pages.ts')
      pages = await openLightPages(root, path)
      if (pages?.stamp !== stamp) return null
      const bytes = await pages.read(index, MAX_LIGHT_BYTES)
      const mediaType = bytes && shownTypeOf(bytes)
      return bytes && mediaType ? { bytes, mediaType } : null
    } catch {
      return null
    } finally {
      reads -= 1
      await pages?.close()
    }
  }
}
