import { expect, test } from 'bun:test'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTree } from '../support/library-tree.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startServer } from '../support/test-server.ts'

test('a file that only keeps the place of a video costs no program', async () => {
  await using folder = await temporaryFolder('empty-videos')
  const path = makeTree(join(folder.path, 'films'), { 'Empty (2020)': { 'film.mkv': '' } })
  const trace = join(folder.path, 'started')
  const program = join(folder.path, 'program')
  writeFileSync(program, `#!/bin/sh\necho "$0" >> ${trace}\nexit 1\n`)
  chmodSync(program, 0o755)
  await using server = await startServer({
    libraries: [{ type: 'movies', path }],
    env: { FFMPEG_PATH: program, FFPROBE_PATH: program },
  })
  await server.waitForScans()
  const admin = await server.as('admin')
  const { status, body } = await admin.get('/api/playback', { itemKey: 'movie:1:Empty (2020)' })
  expect([status, body.mode]).toEqual([200, 'direct'])
  expect((await admin.get('/api/thumbnails', { itemKey: 'movie:1:Empty (2020)', size: 'small' })).status).toBe(404)
  expect(existsSync(trace)).toBe(false)
})
