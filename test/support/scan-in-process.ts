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

/** The scan itself, of which a row tells; answers how it ended. */
const scan = async (
  { db, write }: Pick<Deps, 'db' | 'write'>,
  { id, type, root, scanId, checkpoint }: ScannedLibrary & { scanId: number; checkpoint: () => void },
): Promise<string> => {
  const { rows } = await db.$client.execute({ sql: 'SELECT path, signature FROM scan_units WHERE library_id = ?', args: [id] })
  const knownSignatures = Object.fromEntries(rows.map((row) => [String(row.path), String(row.signature)]))
  const applier = await createScanApplier({ db, write }, { libraryId: id, scanId })
  const steps = scanLibrary({ libraryType: type, root, paths: null, knownSignatures, batchSize: BATCH })
  let step = steps.next()
  for (; !step.done; step = steps.next()) {
    if (!step.value) continue
    const { units, unchanged } = step.value
    const items = units.flatMap((unit) => unit.items.map((item) => ({ unit: unit.path, item })))
    if (applier.isFirstScan) await applier.applyFirst([{ units, batches: byDepth(items).map((group) => toColumnBatch(id, group)) }])
    else await applier.applyUnits(units, unchanged)
  }
  const hashFiles = (paths: string[]) => Promise.all(paths.map((path) => partialHash(join(root, path)).catch(() => null)))
  const hashElsewhere = async (_: number, paths: string[]) => paths.map(() => null)
  const { unreadable, ownData } = step.value
  const outcome = await applier.finish({ paths: null, unreadable, ownData, hashFiles, hashElsewhere, checkpoint })
  return outcome.status
}

/** Scans a real folder as the runner does, in this thread: for tests that scan thousands of small libraries, or stop at a `checkpoint`. */
export const scanInProcess = async (
  deps: Pick<Deps, 'db' | 'write'>,
  library: ScannedLibrary,
  checkpoint: () => void = () => undefined,
): Promise<void> => {
  const [begun] = await deps.write.batch([
    {
      sql: `INSERT INTO scans (library_id, trigger, status, created_at, started_at) VALUES (?1, 'manual', 'running', ?2, ?2) RETURNING id`,
      args: [library.id, Date.now()],
    },
  ])
  const scanId = Number(begun?.rows[0]?.id)
  let status = 'interrupted'
  try {
    status = await scan(deps, { ...library, scanId, checkpoint })
  } finally {
    const sql = 'UPDATE scans SET status = ?, finished_at = ? WHERE id = ?'
    await deps.db.$client.execute({ sql, args: [status, Date.now(), scanId] })
  }
  if (status !== 'done') throw new Error(`The scan is ${status}`)
}
