import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tree } from '../support/library-tree.ts'
import { forEachAtOnce } from '../support/program.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'
import { waitFor } from '../support/test-server.ts'

setDefaultTimeout(180_000)
const SCAN_LIMIT_MS = 60_000
const FILMS = 8000
const DELETIONS = 32
const DELETIONS_AT_ONCE = 8
/** A scan may be over before anything is deleted; then all is tried again. */
const MAX_TRIES = 5

/** So many films that a rescan of all of them is met in the middle. */
const films = (): Tree =>
  Object.fromEntries(Array.from({ length: FILMS }, (_, i) => [`Film ${String(i).padStart(5, '0')}`, { 'film.mkv': 1 + i }]))

const nameOf = (index: number): string => `Film ${String(index).padStart(5, '0')}`

/** Makes the next scan read every film anew, and write most of them. */
const touchAll = (scene: ScanScene): void => {
  for (let index = 0; index < FILMS; index++) {
    const folder = join(scene.rootOf('movies'), nameOf(index))
    if (existsSync(folder)) writeFileSync(join(folder, 'film.mkv'), `new ${index}`)
  }
}

const statusOf = async (scene: ScanScene, id: number): Promise<string> => (await scene.admin.get(`/api/scans/${id}`)).body.scan.status

test('what is deleted while a scan runs stays deleted, and what is restored stays restored', async () => {
  await using scene = await startScene({ movies: films() })
  const libraryId = scene.idOf('movies')
  const keyOf = (index: number): string => `movie:${libraryId}:${nameOf(index)}`
  const root = scene.rootOf('movies')

  /** Deletes during a scan, looks at what has become of it, and answers how often the scan still ran. */
  const deleteDuringScan = async (trashDays: number, attempt: number): Promise<number> => {
    await scene.admin.patch(`/api/libraries/${libraryId}`, { trashDays })
    touchAll(scene)
    const [scan] = (await scene.admin.post('/api/scans', { libraryId })).body.scans
    await waitFor(
      async () => ((await statusOf(scene, scan.id)) === 'running' ? true : undefined),
      SCAN_LIMIT_MS,
      () => 'The scan never ran',
    )
    const deleted: number[] = []
    const base = trashDays * 100 + attempt * 10
    let duringScan = 0
    const wanted = Array.from({ length: DELETIONS }, (_, step) => base + ((step * 509) % (FILMS - 1000)) + 100)
    await forEachAtOnce(DELETIONS_AT_ONCE, wanted, async (index) => {
      const { status } = await scene.admin.delete('/api/items', { itemKey: keyOf(index) })
      if (status !== 204) return
      deleted.push(index)
      if ((await statusOf(scene, scan.id)) === 'running') duringScan += 1
    })
    const restored = new Set<number>()
    if (trashDays > 0) {
      for (const { id, title } of (await scene.admin.get('/api/trash')).body.entries.slice(0, 6)) {
        expect((await scene.admin.post(`/api/trash/${id}/restore`)).status).toBe(200)
        restored.add(Number(title.slice(5)))
      }
    }
    await scene.server.waitForScans()
    expect(await statusOf(scene, scan.id)).toBe('done')
    const keys = new Set(await scene.keys('movies'))
    for (const index of deleted) {
      expect({ index, isListed: keys.has(keyOf(index)), isOnDisk: existsSync(join(root, nameOf(index))) }).toEqual({
        index,
        isListed: restored.has(index),
        isOnDisk: restored.has(index),
      })
    }
    const library = (await scene.admin.get(`/api/libraries/${libraryId}`)).body.library
    expect(library.itemCount).toBe(keys.size)
    // One that was looked at in the moment when it went is read anew; none is lost, and none is found.
    expect({ ...(await scene.scan('movies')), updated: 0 }).toEqual({ status: 'done', found: keys.size, updated: 0 })
    return duringScan
  }
  for (const trashDays of [0, 7]) {
    let duringScan = await deleteDuringScan(trashDays, 0)
    for (let attempt = 1; duringScan === 0 && attempt < MAX_TRIES; attempt++) duringScan = await deleteDuringScan(trashDays, attempt)
    expect(duringScan).toBeGreaterThan(0)
  }
})
