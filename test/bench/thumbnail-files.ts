/** Waiting for what the server's background makes, by looking at its data folder. */

import { join } from 'node:path'
import { THUMBNAIL_SIZE_NAMES } from '../../src/domain/thumbnail-size.ts'

const POLL_INTERVAL_MS = 25
const LIMIT_MS = 600_000

/** Resolves once `items` items have a thumbnail of every size on disk. */
export const thumbnailsOnDisk = async (dataDir: string, items: number): Promise<void> => {
  const finished = new Bun.Glob(`*/*-{${THUMBNAIL_SIZE_NAMES.join(',')}}.webp`)
  const wanted = items * THUMBNAIL_SIZE_NAMES.length
  const end = Date.now() + LIMIT_MS
  const count = async (): Promise<number> => {
    try {
      return (await Array.fromAsync(finished.scan(join(dataDir, 'thumbnails')))).length
    } catch {
      return 0
    }
  }
  for (let found = await count(); found < wanted; found = await count()) {
    if (Date.now() > end) throw new Error(`${found} of ${wanted} thumbnails are there.`)
    await Bun.sleep(POLL_INTERVAL_MS)
  }
}
