import { expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeClip } from '../support/real-media.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, waitFor } from '../support/test-server.ts'

setDefaultTimeout(90_000)
const LIMIT_MS = 30_000

test('ffprobe and ffmpeg that are ended from outside say nothing of the film', async () => {
  await using folder = await temporaryFolder('interrupted')
  const [films, lets] = [join(folder.path, 'films'), join(folder.path, 'lets')]
  mkdirSync(films)
  await makeClip(join(films, 'film.mp4'), { seconds: 1 })
  const script = (name: string): string => {
    const file = join(folder.path, name)
    writeFileSync(file, `#!/bin/sh\ntouch '${file}-called'\n[ -e '${lets}' ] && exec '${Bun.which(name)}' "$@"\nkill -TERM $$\n`)
    chmodSync(file, 0o755)
    return file
  }
  const [ffmpeg, ffprobe] = [script('ffmpeg'), script('ffprobe')]
  await using server = await startServer({
    libraries: [{ type: 'mixed', path: films }],
    env: { FFMPEG_PATH: ffmpeg, FFPROBE_PATH: ffprobe },
  })
  await waitFor(
    () => (existsSync(`${ffmpeg}-called`) && existsSync(`${ffprobe}-called`) ? true : undefined),
    LIMIT_MS,
    () => 'Nobody looked into the film.',
  )
  const admin = await server.as('admin')
  const film = { itemKey: 'mixed_file:1:film.mp4' }
  expect((await admin.get('/api/playback', film)).status).toBe(503)
  expect((await admin.get('/api/thumbnails', { ...film, size: 'small' })).status).toBe(404)
  writeFileSync(lets, '')
  expect((await admin.get('/api/playback', film)).body).toMatchObject({ container: 'mp4', videoCodec: 'h264' })
  expect((await admin.get('/api/thumbnails', { ...film, size: 'small' })).status).toBe(200)
})
