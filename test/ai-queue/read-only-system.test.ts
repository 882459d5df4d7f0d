import { expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writtenPage } from '../support/real-media.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, waitFor } from '../support/test-server.ts'

const LIMIT_MS = 120_000

/** As in a container whose own file system is read-only: temporary files lie in the data folder (README, Flags). */
test(
  'text is read where the system has no folder for temporary files',
  async () => {
    await using folder = await temporaryFolder('read-only')
    const media = join(folder.path, 'media')
    await mkdir(media)
    await writeFile(join(media, 'sign.png'), await writtenPage('Press start to begin'))
    await using server = await startServer({ libraries: [{ type: 'mixed', path: media }], env: { TMPDIR: '/proc/nowhere' } })
    await server.waitForScans()
    const admin = await server.as('admin')
    const itemKey = 'mixed_file:1:sign.png'
    expect((await admin.put('/api/ai-settings', { ...(await admin.get('/api/ai-settings')).body, ocrMode: 'tesseract' })).status).toBe(200)
    expect((await admin.post('/api/ai-tagging/extract', { itemKey })).status).toBe(202)
    const settled = async () => {
      const { body } = await admin.get('/api/ai-tagging/fields', { itemKey })
      return body.extractedText !== null || body.jobs.some(({ status }: { status: string }) => status === 'failed') ? body : undefined
    }
    expect(await waitFor(settled, LIMIT_MS, () => 'It was never read.')).toMatchObject({
      extractedText: expect.stringContaining('Press start'),
      jobs: [],
    })
  },
  LIMIT_MS,
)
