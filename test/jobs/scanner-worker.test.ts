import { expect, test } from 'bun:test'
import { libraries } from '../../src/db/schema/libraries.ts'
import { startScanner } from '../../src/jobs/scanner-worker.ts'
import { makeTree } from '../support/library-tree.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startTestApp } from '../support/test-app.ts'

const FILES = 450

test('a scan that nobody wants any more before its thread is there is not begun', async () => {
  await using folder = await temporaryFolder('scanner-worker')
  makeTree(folder.path, { 'a.txt': 'a' })
  await using app = await startTestApp()
  const [library] = await app.deps.db.insert(libraries).values({ name: 'Files', type: 'mixed', path: folder.path }).returning()
  if (!library) throw new Error('The library was not made')
  const scanner = await startScanner(app.deps, { library, root: folder.path, paths: null, signal: AbortSignal.abort(), asColumns: false })
  try {
    await expect(scanner.walk(async () => undefined)).rejects.toThrow('aborted')
  } finally {
    scanner.close()
  }
})

test('hashes of more files than one question takes stand in the order asked, with none for a file that is gone', async () => {
  await using folder = await temporaryFolder('scanner-worker')
  makeTree(folder.path, Object.fromEntries(Array.from({ length: FILES }, (_, i) => [`${i}.txt`, `content ${i}`])))
  await using app = await startTestApp()
  const [library] = await app.deps.db.insert(libraries).values({ name: 'Files', type: 'mixed', path: folder.path }).returning()
  if (!library) throw new Error('The library was not made')
  const scanner = await startScanner(app.deps, {
    library,
    root: folder.path,
    paths: null,
    signal: new AbortController().signal,
    asColumns: false,
  })
  try {
    const paths = Array.from({ length: FILES }, (_, i) => (i === 300 ? 'gone.txt' : `${i}.txt`))
    const hashes = await scanner.hashFiles(paths)
    expect(hashes.map((hash) => hash !== null)).toEqual(paths.map((path) => path !== 'gone.txt'))
    expect(new Set(hashes).size).toBe(FILES)
    expect(await scanner.hashFiles(['449.txt', '0.txt'])).toEqual([hashes[449] ?? null, hashes[0] ?? null])
  } finally {
    scanner.close()
  }
})
