/** A scan of 100,000 files of which none has changed, and of which one was rewritten in place. */

import { readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { cachedFolder } from './cached-folder.ts'
import { scanWithMinidlna } from './minidlna.ts'
import { mixedTree, SET } from './mixed-tree.ts'
import { findPeer } from './peers.ts'
import { interleave, median, medianOrNull, secondsOf } from './rounds.ts'
import { addLibrary, type FinishedScan, scanLibrary, startQuietServer } from './scan-run.ts'
import { atLeast, ratioAtMost } from './table.ts'

const REWRITTEN_FILE = '2007/05 Événement 5/Day 5'

const findSeconds = (program: string, tree: string): Promise<number> =>
  secondsOf(async () => {
    const child = Bun.spawn([program, tree, '-printf', '%p %s %T@\\n'], { stdout: Bun.file('/dev/null'), stderr: 'inherit' })
    if ((await child.exited) !== 0) throw new Error('find failed.')
  })

/** A database that minidlna has filled from the tree, kept between runs: filling it takes a minute. */
const filledByMinidlna = async (program: string, media: string): Promise<string> =>
  cachedFolder('minidlna-mixed-1', 'v1', async (folder) => {
    await scanWithMinidlna(program, { folder, media, mode: '-R' })
  })

/** Writes the same file anew, one byte longer, and puts it back afterwards; answers how many items the scan found changed. */
const countNoticed = async (tree: string, rescan: () => Promise<FinishedScan>): Promise<number> => {
  const [name = ''] = [...new Bun.Glob('*.jpg').scanSync(join(tree, REWRITTEN_FILE))].sort()
  const path = join(tree, REWRITTEN_FILE, name)
  const [before, content] = [await stat(path), await readFile(path)]
  try {
    await writeFile(path, Buffer.concat([content, Buffer.from([0])]))
    return (await rescan()).updated
  } finally {
    await writeFile(path, content)
    await utimes(path, before.atime, before.mtime)
  }
}

export const rescanBench: Bench = async ({ rounds }) => {
  const tree = await mixedTree(1)
  const [minidlna, find] = [await findPeer('minidlnad'), await findPeer('find')]
  const filled = minidlna ? await filledByMinidlna(minidlna, tree) : ''
  await using server = await startQuietServer()
  const libraryId = await addLibrary(await server.as('admin'), tree)
  const rescan = (): Promise<FinishedScan> => scanLibrary(server, { libraryId, files: SET.files })
  await rescan()
  const cpu: number[] = []
  const seconds = await interleave(rounds, {
    vitrine: {
      measure: async () => {
        const scan = await rescan()
        if (scan.added + scan.updated > 0) throw new Error(`${scan.added} added and ${scan.updated} changed where nothing did.`)
        cpu.push(scan.cpuSeconds)
        return scan.seconds
      },
    },
    find: find ? { measure: () => findSeconds(find, tree) } : null,
    minidlna: minidlna ? { measure: () => scanWithMinidlna(minidlna, { folder: filled, media: tree, mode: '-r' }) } : null,
  })
  const noticed = await countNoticed(tree, rescan)
  await server.kill()
  const vitrine = median(seconds.vitrine)
  const what = `scan of ${SET.files} files, nothing changed`
  return [
    { what, unit: 's', vitrine, peer: { name: 'minidlna -r', value: medianOrNull(seconds.minidlna) }, reach: ratioAtMost(0.2) },
    {
      ...{ what, unit: 's', vitrine, peer: { name: 'find -printf', value: medianOrNull(seconds.find) }, reach: ratioAtMost(3) },
      note: `processor time of the server ${median(cpu).toFixed(2)} s, with what its background does meanwhile`,
    },
    { what: 'files noticed of one that was rewritten in place', unit: '', vitrine: noticed, reach: atLeast(1) },
  ]
}
