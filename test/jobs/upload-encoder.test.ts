import { expect, test } from 'bun:test'
import { createUploadEncoder } from '../../src/jobs/upload-encoder.ts'
import { createLog } from '../../src/log.ts'
import { writtenPage } from '../support/real-media.ts'

test('what was sent is not kept beside the copy of the thread that reads it', async () => {
  const uploads = createUploadEncoder({ log: createLog('silent') })
  try {
    const bytes = new Uint8Array(await writtenPage('A cover'))
    const encoding = uploads.encode(bytes)
    await Bun.sleep(0)
    expect(bytes.byteLength).toBe(0)
    expect(await encoding).toMatchObject({ ok: true, jpeg: expect.any(Uint8Array) })
  } finally {
    uploads.close()
  }
})
