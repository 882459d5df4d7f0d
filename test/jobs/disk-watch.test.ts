import { expect, test } from 'bun:test'
import { statfs } from 'node:fs/promises'
import type { Deps } from '../../src/deps.ts'
import { createDiskWatch } from '../../src/jobs/disk-watch.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { silentLog } from '../support/test-database.ts'

const watch = async (dataDir: string, reserveBytes: number): Promise<boolean> => {
  const config = { dataDir } as Deps['config']
  const disk = await createDiskWatch({ config, log: silentLog }, { onRoom: () => undefined, reserveBytes })
  disk.stop()
  return disk.isNearlyFull()
}

test('a disk is nearly full where less than the reserve is free, as a user may use it', async () => {
  await using folder = await temporaryFolder('disk-watch')
  const { bavail, bsize } = await statfs(folder.path)
  expect(await watch(folder.path, (bavail * bsize) / 2)).toBe(false)
  expect(await watch(folder.path, bavail * bsize * 2)).toBe(true)
})

test('a disk that cannot be asked is no reason to wait', async () => {
  await using folder = await temporaryFolder('disk-watch')
  expect(await watch(`${folder.path}/gone`, 1)).toBe(false)
})
