import { expect, test } from 'bun:test'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openInside } from '../../src/media/inside.ts'
import { createPlaces } from '../../src/services/places.ts'
import { readSidecar } from '../../src/services/subtitle-texts.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const SOURCE = { format: 'srt', language: null, key: 'film', userId: 1, signal: AbortSignal.any([]) } as const

test('of a file that grows while it is read, no more is taken than was looked at', async () => {
  await using folder = await temporaryFolder('sidecar')
  const file = join(folder.path, 'film.srt')
  writeFileSync(file, 'short')
  const opened = await openInside(folder.path, 'film.srt')
  try {
    appendFileSync(file, ' and not so any more')
    const subtitles = { asVtt: (bytes: Uint8Array) => Promise.resolve(Buffer.from(bytes).toString()) }
    expect(await readSidecar({ subtitles, places: createPlaces() }, opened, SOURCE)).toBe('short')
  } finally {
    await opened.handle.close()
  }
})

test('a disk that hangs holds up no other', async () => {
  await using folder = await temporaryFolder('sidecar')
  writeFileSync(join(folder.path, 'film.srt'), 'sound')
  const opened = await openInside(folder.path, 'film.srt')
  const subtitles = { asVtt: (bytes: Uint8Array) => Promise.resolve(Buffer.from(bytes).toString()) }
  const places = createPlaces()
  const read = (file: typeof opened) => readSidecar({ subtitles, places }, file, SOURCE)
  const answer = Promise.withResolvers<never>()
  const hanging = { ...opened, device: 'away', handle: Object.assign(Object.create(opened.handle), { read: () => answer.promise }) }
  const waiting = Promise.allSettled(Array.from({ length: 5 }, () => read(hanging)))
  try {
    expect(await read(opened)).toBe('sound')
  } finally {
    answer.reject(new Error('gone'))
    await waiting
    await opened.handle.close()
  }
})
