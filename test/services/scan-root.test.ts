import { expect, test } from 'bun:test'
import { probeRoot, RootUnavailable } from '../../src/services/scan-root.ts'

test('a disk that never answers is waited for only until the scan is stopped', async () => {
  const stopper = new AbortController()
  const root = { path: '/films', realPath: null }
  const folder = { path: '/films', device: 1, inode: 1 }
  const { promise: never } = Promise.withResolvers<typeof folder>()
  const answers = [never, Promise.resolve(folder)]
  const ask = () => answers.shift() ?? never
  const hanging = probeRoot(root, stopper.signal, ask)
  const walked = await probeRoot(root, stopper.signal, ask)
  const unchanged = walked.assertUnchanged()
  const reason = new Error('stopped')
  stopper.abort(reason)
  for (const waiting of [hanging, unchanged, probeRoot(root, stopper.signal, ask)])
    expect(await waiting.catch((error: unknown) => error)).toBe(reason)
})

test('where a file system keeps no numbers of inodes, the device tells whether a root is still the same', async () => {
  const folder = { path: '/films', device: 1, inode: null }
  const answers = [folder, folder, { ...folder, device: 2 }]
  const root = await probeRoot({ path: '/films', realPath: null }, new AbortController().signal, async () => answers.shift() ?? folder)
  await root.assertUnchanged()
  expect(await root.assertUnchanged().catch((error: unknown) => error)).toBeInstanceOf(RootUnavailable)
})
