/**
 * Removes thumbnail files that nothing refers to any more: of items that were forgotten, and of bytes that an item does
 * not have now; and what a crash left half written. A missing item keeps its own, since it may come back.
 */

import { readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../deps.ts'
import { slicesOf } from '../domain/slices.ts'
import { isTemporaryName } from '../domain/temporary-name.ts'
import { createRepeated } from './repeated.ts'
import type { Wakeable } from './wakeable.ts'

/** The first look is a while after the start, when there are better things to do. */
const FIRST_LOOK_MS = 10 * 60 * 1000
const INTERVAL_MS = 24 * 60 * 60 * 1000
/** A file as young as this may be newer than what the index says of it. */
const LEAST_AGE_MS = 60 * 60 * 1000
/** Names a query: a folder of a large library holds tens of thousands. */
const WINDOW = 1000
const PAUSE_MS = 20

/** `<two digits>/<id>-<version>-<size>.webp` (jobs/thumbnail-queue.ts); anything else is not ours to remove. */
const FOLDER = /^\d\d$/
const NAME = /^(\d+)-(.+)-[a-z]+\.webp$/

type SweepDeps = Pick<Deps, 'config' | 'db' | 'log'>

/** Those of the names that stand for no item, or for other bytes than it has. */
const listStale = async ({ db }: SweepDeps, names: readonly string[]): Promise<string[]> => {
  const parsed = names.flatMap((name) => {
    const [, id, version] = NAME.exec(name) ?? []
    return id === undefined ? [] : [{ name, id: Number(id), version }]
  })
  const { rows } = await db.$client.execute({
    sql: 'SELECT id, thumbnail_version AS version FROM media_items WHERE id IN (SELECT value FROM json_each(?))',
    args: [JSON.stringify([...new Set(parsed.map(({ id }) => id))])],
  })
  const versions = new Map(rows.map((row) => [Number(row.id), row.version]))
  return parsed.filter(({ id, version }) => versions.get(id) !== version).map(({ name }) => name)
}

/** Looks through the whole folder once; answers how many files were removed. */
export const sweepThumbnails = async (deps: SweepDeps, { now, isStopped }: { now: number; isStopped: () => boolean }): Promise<number> => {
  const root = join(deps.config.dataDir, 'thumbnails')
  let removed = 0
  const folders = await readdir(root).catch(() => [])
  for (const folder of folders.filter((name) => FOLDER.test(name))) {
    if (isStopped()) break
    const names = await readdir(join(root, folder))
    for (const window of slicesOf(names, WINDOW)) {
      for (const name of [...(await listStale(deps, window)), ...window.filter(isTemporaryName)]) {
        const file = join(root, folder, name)
        // What is being written has its own name by now.
        const seen = await stat(file).catch(() => undefined)
        if (!seen || seen.mtimeMs >= now - LEAST_AGE_MS) continue
        await unlink(file)
        removed += 1
      }
      await Bun.sleep(PAUSE_MS)
    }
  }
  return removed
}

/** Sweeps once a day. */
export const createThumbnailSweep = (deps: SweepDeps): Wakeable =>
  createRepeated({
    work: async (isStopped) => {
      const removed = await sweepThumbnails(deps, { now: Date.now(), isStopped })
      if (removed > 0) deps.log.info('thumbnails_removed', { files: removed })
    },
    onError: (error) => deps.log.warn('thumbnails_not_removed', { error }),
    firstLookMs: FIRST_LOOK_MS,
    intervalMs: INTERVAL_MS,
  })
