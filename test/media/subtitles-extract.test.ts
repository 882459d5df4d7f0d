import { expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openInside } from '../../src/media/inside.ts'
import { extractTrack } from '../../src/media/subtitles-extract.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** What a program that does this makes of a track. */
const extractWith = async (script: string): Promise<string> => {
  await using folder = await temporaryFolder('extract')
  const program = join(folder.path, 'ffmpeg.sh')
  await writeFile(program, `#!/bin/sh\n${script}\n`, { mode: 0o700 })
  await writeFile(join(folder.path, 'film.mkv'), 'x')
  const film = await openInside(folder.path, 'film.mkv')
  try {
    return Buffer.from(await extractTrack(program, film.handle.fd, { index: 0, format: 'srt' })).toString()
  } finally {
    await film.handle.close()
  }
}

test('what cannot be read is no empty track', async () => {
  await expect(extractWith('echo "Invalid data found" >&2; exit 1')).rejects.toMatchObject({
    code: 'unsupported',
    message: 'Invalid data found',
  })
  await expect(extractWith('kill -SEGV $$')).rejects.toMatchObject({ code: 'unsupported' })
})

test('a track without a line is empty, and one that breaks off goes as far as it does', async () => {
  expect(await extractWith('exit 0')).toBe('')
  expect(await extractWith('printf half; exit 1')).toBe('half')
})
