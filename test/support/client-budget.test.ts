import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { budgetProblems, clientSizes } from './client-budget.ts'
import { makeTree } from './library-tree.ts'
import { temporaryFolder } from './temporary-folder.ts'

const manifest = {
  'index.html': { file: 'a.js', isEntry: true, imports: ['_shared.js'], css: ['a.css'], dynamicImports: ['view.tsx'] },
  '_shared.js': { file: 'shared.js', imports: ['index.html'] },
  'view.tsx': { file: 'view.js' },
  '_frame-1.js': { file: 'shell.js', name: 'frame', imports: ['index.html'] },
  '_library-1.js': { file: 'view.js', name: 'library', imports: ['_frame-1.js'] },
  'src/views/manage/library.tsx': { file: 'chrome.js', name: 'library' },
  'src/views/manage/manage.tsx': { file: 'chrome.js', name: 'manage' },
  'src/views/feed/feed.tsx': { file: 'chrome.js', name: 'feed' },
  'src/views/mixed/mixed-viewer.tsx': { file: 'chrome.js', name: 'mixed-viewer', imports: ['_library-1.js'] },
  'src/views/player/watch.tsx': { file: 'watch.js', imports: ['_shared.js', '_chrome.js', '_frame-1.js'] },
  '_chrome.js': { file: 'chrome.js' },
}
const writeClient = (folder: string, of: object): string =>
  makeTree(folder, {
    '.vite/manifest.json': JSON.stringify(of),
    'a.js': randomBytes(20_000),
    'shared.js': randomBytes(30_000),
    'view.js': randomBytes(90_000),
    'shell.js': randomBytes(7_000),
    'watch.js': randomBytes(5_000),
    'chrome.js': randomBytes(40_000),
    'a.css': randomBytes(9_000),
  })

test('an entry or a style sheet above its limit is a problem', async () => {
  expect(budgetProblems({ entryScriptBytes: 45_001, styleBytes: 0, routeBytes: {} })).toHaveLength(1)
  expect(budgetProblems({ entryScriptBytes: 0, styleBytes: 15_001, routeBytes: {} })).toHaveLength(1)
  expect(budgetProblems({ entryScriptBytes: 45_000, styleBytes: 15_000, routeBytes: {} })).toEqual([])
})

test('a screen above its limit is a problem', () => {
  const sizes = { entryScriptBytes: 0, styleBytes: 0 }
  expect(budgetProblems({ ...sizes, routeBytes: { viewer: 60_001 } })).toHaveLength(1)
  expect(budgetProblems({ ...sizes, routeBytes: { viewer: 60_000, player: 60_000 } })).toEqual([])
})

test('shared chunks count, lazy views do not', async () => {
  await using folder = await temporaryFolder('dist')
  writeClient(folder.path, manifest)
  const { entryScriptBytes, styleBytes, routeBytes } = clientSizes(join(folder.path))
  expect(entryScriptBytes).toBeWithin(50_000, 50_200)
  expect(styleBytes).toBeWithin(9_000, 9_100)
  // What the entry and the frame have brought along is there already.
  expect(routeBytes.player).toBeWithin(45_000, 45_200)
  expect(routeBytes['player from the start']).toBeWithin(102_000, 102_300)
  // The chunk of that name, and not another module's.
  expect(routeBytes['entry and library']).toBeWithin(147_000, 147_300)
})

test('a screen whose chunk is not there weighs not nothing', async () => {
  await using folder = await temporaryFolder('dist')
  const { '_frame-1.js': _, ...rest } = manifest
  writeClient(folder.path, rest)
  expect(() => clientSizes(folder.path)).toThrow('no “frame”')
})
