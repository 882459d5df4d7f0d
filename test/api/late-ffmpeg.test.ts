import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { openIndexOf } from '../support/index-database.ts'
import { makeTree } from '../support/library-tree.ts'
import { makeClip } from '../support/real-media.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, waitFor } from '../support/test-server.ts'

setDefaultTimeout(90_000)
const LIMIT_MS = 30_000

test('what was indexed without ffmpeg is hashed and offers no picture, and gets its picture when there is one', async () => {
  await using folder = await temporaryFolder('late-ffmpeg')
  const path = makeTree(join(folder.path, 'clips'), { 'Other/readme.txt': 'x' })
  await makeClip(join(path, 'clip.mp4'), { seconds: 1 })
  const start = (env: Record<string, string>) =>
    startServer({ dataDir: join(folder.path, 'data'), hasIndex: true, libraries: [{ type: 'mixed', path }], env })
  const clip = { itemKey: 'mixed_file:1:clip.mp4' }
  {
    await using server = await start({ PATH: '/nowhere' })
    await server.waitForScans()
    await using index = openIndexOf(server)
    await index.waitForHashes()
    const admin = await server.as('admin')
    expect((await admin.get('/api/thumbnails', { ...clip, size: 'small' })).status).toBe(404)
    expect((await admin.get('/api/items', clip)).body.item.thumbnailUrl).toBeNull()
  }
  await using server = await start({})
  const admin = await server.as('admin')
  const { thumbnailUrl } = await waitFor(
    async () => {
      const { item } = (await admin.get('/api/items', clip)).body
      return item.thumbnailUrl === null ? undefined : item
    },
    LIMIT_MS,
    () => 'The clip offers no picture.',
  )
  expect((await admin.fetch(thumbnailUrl)).status).toBe(200)
})
