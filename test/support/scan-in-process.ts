import { join } from 'node:path'
import type { Deps } from '../../src/deps.ts'
import type { LibraryType } from '../../src/domain/item-type.ts'
import { partialHash } from '../../src/media/content-hash.ts'
import { byDepth, toColumnBatch } from '../../src/scan/column-batch.ts'
import { scanLibrary } from '../../src/scan/scan-library.ts'
import { createScanApplier } from '../../src/services/scan-apply.ts'

export interface ScannedLibrary {
  id: number
  type: LibraryType
  root: string
}

const BATCH = 100

/** Scans a real folder as the runner does, in this thread: for tests that scan thousands of small libraries, or stop at a `checkpoint`. */
export const scanInProcess = async (
  { db, write }: Pick<Deps, 'db' | 'write'>,
  { id, type, root }: ScannedLibrary,
  checkpoint: () => void = () => undefined,
): Promise<void> => {
  const { rows } = await db.$client.execute({ sql: 'SELECT path, signature FROM scan_units WHERE library_id = ?', args: [id] })
  const knownSignatures = Object.fromEntries(rows.map((row) => [String(row.path), String(row.signature)]))
  const [scan] = await write.batch([
    {
      sql: `INSERT INTO scans (library_id, trigger, status, created_at, started_at, finished_at)
        VALUES (?1, 'manual', 'interrupted', ?2, ?2, ?2) RETURNING id`,
      args: [id, Date.now()],
    },
  ])
  const scanId = Number(scan?.rows[0]?.id)
  const applier = await createScanApplier({ db, write }, { libraryId: id, scanId })
  const steps = scanLibrary({ libraryType: type, root, paths: null, knownSignatures, batchSize: BATCH })
  let step = steps.next()
  for (; !step.done; step = steps.next()) {
    if (!step.value) continue
    const { units, unchanged } = step.value
    const items = units.flatMap((unit) => unit.items.map((item) => ({ unit: unit.path, item })))
    if (applier.isFirstScan)
      await applier.applyFirst(
        units,
        byDepth(items).map((group) => toColumnBatch(id, group)),
      )
    else await applier.applyUnits(units, unchanged)
  }
  const hashFiles = (paths: string[]) => Promise.all(paths.map((path) => partialHash(join(root, path)).catch(() => null)))
  const hashElsewhere = async (_: number, paths: string[]) => paths.map(() => null)
  const { unreadable, ownData } = step.value
  const outcome = await applier.finish({ paths: null, unreadable, ownData, hashFiles, hashElsewhere, checkpoint })
  if (outcome.status !== 'done') throw new Error(`The scan is ${outcome.status}`)
  await db.$client.execute({ sql: `UPDATE scans SET status = 'done', finished_at = ? WHERE id = ?`, args: [Date.now(), scanId] })
}
