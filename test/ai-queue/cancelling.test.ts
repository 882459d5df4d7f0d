import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type AiScene, LIMIT_MS, startAiScene } from '../support/ai-scene.ts'
import { MISBEHAVIOURS } from '../support/fake-model.ts'
import { OCR_PAGES } from '../support/ocr-pages.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/test-server.ts'

const PICTURE = 'page.png'

let ai: AiScene
let temporary: TemporaryFolder
beforeAll(async () => {
  const page = await OCR_PAGES[0]?.make()
  if (!page) throw new Error('There is no page.')
  temporary = await temporaryFolder('cancelling')
  mkdirSync(join(temporary.path, 'tmp'))
  ai = await startAiScene({ [PICTURE]: page }, { env: { TMPDIR: join(temporary.path, 'tmp') } })
}, LIMIT_MS)
afterAll(async () => {
  await ai[Symbol.asyncDispose]()
  await temporary.remove()
})

const linkOf = (file: string): string => {
  try {
    return readlinkSync(file)
  } catch {
    return ''
  }
}
/** How often the server has the picture open. */
const opened = (): number => {
  const folder = `/proc/${ai.scene.server.pid}/fd`
  return readdirSync(folder).filter((name) => linkOf(join(folder, name)).endsWith(`/${PICTURE}`)).length
}

test.each([
  ['is read', 'tesseract'],
  ['is shown to a model that says nothing', 'llm-only'],
])(
  'a job that is cancelled while its picture %s lets go of the picture, and leaves no temporary file',
  async (_, ocrMode) => {
    await ai.configure({ ocrMode })
    ai.model.answer(MISBEHAVIOURS.hang)
    const id = await ai.ask('extract', PICTURE)
    await waitFor(
      () => opened() > 0 || undefined,
      LIMIT_MS,
      () => 'The picture was not opened',
    )
    await ai.admin.delete(`/api/ai-tagging/jobs/${id}`)
    expect((await ai.ended(id)).status).toBe('cancelled')
    await waitFor(
      () => opened() === 0 || undefined,
      LIMIT_MS,
      () => 'The picture is still open',
    )
    await waitFor(
      () => readdirSync(join(temporary.path, 'tmp')).length === 0 || undefined,
      LIMIT_MS,
      () => 'There are still temporary files',
    )
    await waitFor(
      () => ai.model.open() === 0 || undefined,
      LIMIT_MS,
      () => 'The question is still open',
    )
  },
  LIMIT_MS,
)
