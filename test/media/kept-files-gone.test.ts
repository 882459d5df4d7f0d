import { afterAll, beforeAll, expect, mock, test } from 'bun:test'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { MediaError } from '../../src/media/inside.ts'
import { openKept } from '../../src/media/kept-files.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

/** A disk that goes away while one of its files is open: a pulled plug, or a network drive whose server says that the file is stale. */

const real = { ...fs }
let isGone = false
const fstatSync = ((...args: Parameters<typeof fs.fstatSync>) => {
  if (isGone) throw Object.assign(new Error('EIO: i/o error, fstat'), { code: 'EIO' })
  return real.fstatSync(...args)
}) as typeof fs.fstatSync

let folder: TemporaryFolder

beforeAll(async () => {
  folder = await temporaryFolder('kept-files-gone')
  await mock.module('node:fs', () => ({ ...real, fstatSync }))
})
afterAll(async () => {
  await mock.module('node:fs', () => real)
  await folder.remove()
})

const countOpen = (): number =>
  real.readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return real.readlinkSync(`/proc/self/fd/${fd}`).startsWith(`${folder.path}/`)
    } catch {
      return false
    }
  }).length

const attempt = (path: string): Promise<unknown> =>
  openKept(folder.path, path).then(
    ({ handle }) => handle.close().then(() => 'opened'),
    (error: unknown) => (error instanceof MediaError ? error.code : error),
  )

test('a file that can no longer be looked at is closed, and opened anew when it is there again', async () => {
  real.writeFileSync(join(folder.path, 'film'), 'film')
  expect(await attempt('film')).toBe('opened')
  isGone = true
  for (let times = 0; times < 3; times += 1) expect(await attempt('film')).toBe('unreadable')
  for (let wait = 0; wait < 1000 && countOpen() > 0; wait += 1) await Bun.sleep(20)
  expect(countOpen()).toBe(0)
  isGone = false
  expect(await attempt('film')).toBe('opened')
})
