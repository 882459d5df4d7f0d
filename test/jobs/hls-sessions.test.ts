import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { open, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseConfig } from '../../src/config.ts'
import { libraries } from '../../src/db/schema/libraries.ts'
import { mediaItems } from '../../src/db/schema/media-items.ts'
import { evenBoundaries } from '../../src/domain/hls-playlist.ts'
import { AppError } from '../../src/errors.ts'
import { createHlsSessions, type HlsLimits } from '../../src/jobs/hls-sessions.ts'
import { openInside } from '../../src/media/inside.ts'
import { probeMedia } from '../../src/media/probe.ts'
import type { HlsStream } from '../../src/services/hls-runs.ts'
import { fileVersion } from '../../src/services/media-probes.ts'
import { makeOddClip } from '../support/odd-clips.ts'
import { runProgram } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { silentLog, type TestDatabase, testDatabase } from '../support/test-database.ts'
import { waitFor } from '../support/test-server.ts'

setDefaultTimeout(120_000)

const SECONDS = 60
const LIMITS: HlsLimits = { maxTranscodes: 2, idleMs: 60_000 }

let media: TemporaryFolder
let database: TestDatabase
let sessions: ReturnType<typeof createHlsSessions>
let isDiskNearlyFull = false

beforeAll(async () => {
  media = await temporaryFolder('hls-sessions')
  await makeOddClip(media.path, 'mpeg4.avi', SECONDS)
  for (const name of ['b.avi', 'c.avi']) await Bun.write(join(media.path, name), Bun.file(join(media.path, 'mpeg4.avi')))
  database = await testDatabase()
  await database.write.transaction((tx) => tx.insert(libraries).values({ name: 'Clips', type: 'mixed', path: media.path }))
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await media.remove()
})

const dataFolder = (): string => join(database.folder, 'data')
const start = (limits: Partial<HlsLimits> = {}, env: Record<string, string> = {}): ReturnType<typeof createHlsSessions> => {
  const config = parseConfig(['--data', dataFolder()], { PATH: process.env.PATH, ...env })
  return createHlsSessions(
    { config, db: database.db, log: silentLog },
    { isDiskNearlyFull: () => isDiskNearlyFull },
    { ...LIMITS, ...limits },
  )
}
beforeEach(() => {
  isDiskNearlyFull = false
  sessions = start()
})
afterEach(() => sessions.stop())

const streamOf = async (name: string, userId = 1, more: Partial<HlsStream> = {}): Promise<HlsStream> => {
  const opened = await openInside(media.path, name)
  const probe = await probeMedia(Bun.which('ffprobe') ?? '', opened.handle.fd).finally(() => opened.handle.close())
  const plan = { video: { index: 0, action: 'encode' as const }, audio: { index: 1, action: 'encode' as const } }
  const item = {
    id: name.charCodeAt(0),
    itemKey: `mixed_file:1:${name}`,
    libraryId: 1,
    itemType: 'mixed_file',
    path: name,
    title: name,
  } as const
  await database.write.transaction((tx) => tx.insert(mediaItems).values(item).onConflictDoNothing())
  return {
    userId,
    libraryId: 1,
    itemId: item.id,
    path: name,
    version: fileVersion(opened),
    source: { probe, plan, pieceSeconds: 3, maxWidth: 160 },
    boundaries: evenBoundaries(SECONDS, 3),
    firstPiece: 0,
    ...more,
  }
}

const never = new AbortController().signal
const piece = (id: string, number: number, signal = never): Promise<string> => sessions.piece(id, { piece: number, signal })
const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise
    return 'none'
  } catch (error) {
    return error instanceof AppError ? error.code : String(error)
  }
}

/** Processes of ffmpeg that this process has started. */
const ffmpegs = async (): Promise<string[]> => {
  const all = (await runProgram(['ps', '-eo', 'ppid=,args='])).toString().split('\n')
  return all.filter((line) => line.trim().startsWith(`${process.pid} `) && line.includes('/ffmpeg'))
}
const files = (): Promise<string[]> => readdir(join(dataFolder(), 'tmp/hls'), { recursive: true }).catch(() => [])

describe('a stream is refused', () => {
  test('that nobody has opened', () => {
    expect(() => sessions.playlist('abc')).toThrow(AppError)
  })
  test('beyond its end', async () => {
    const id = sessions.open(await streamOf('b.avi'))
    expect(await codeOf(piece(id, 999))).toBe('not_found')
  })
  test('when its file is gone, or has become another', async () => {
    const [changed, gone] = [await streamOf('b.avi', 1, { version: '1-1' }), await streamOf('b.avi', 2, { path: 'gone.avi' })]
    expect(await codeOf(piece(sessions.open(changed), 0))).toBe('not_found')
    expect(await codeOf(piece(sessions.open(gone), 0))).toBe('not_found')
    // Neither holds one of the two places.
    expect(await codeOf(piece(sessions.open(await streamOf('b.avi', 3)), 0))).toBe('none')
  })
  test('when it is no video at all', async () => {
    await writeFile(join(media.path, 'text.avi'), 'no video')
    const opened = await openInside(media.path, 'text.avi')
    await opened.handle.close()
    const stream = await streamOf('b.avi', 1, { path: 'text.avi', version: fileVersion(opened) })
    expect(await codeOf(piece(sessions.open(stream), 0))).toBe('unavailable')
    expect(await ffmpegs()).toEqual([])
    const others = [2, 3].map(async (userId) => codeOf(piece(sessions.open(await streamOf('b.avi', userId)), 0)))
    expect(await Promise.all(others)).toEqual(['none', 'none'])
  })
  test('when as many are encoded as the server can, until one of them ends', async () => {
    const [a, b, c] = [await streamOf('mpeg4.avi'), await streamOf('b.avi', 2), await streamOf('c.avi', 3)].map((stream) =>
      sessions.open(stream),
    )
    await Promise.all([piece(a ?? '', 0), piece(b ?? '', 0)])
    expect(await codeOf(piece(c ?? '', 0))).toBe('unavailable')
    // A viewer who has a place keeps it, wherever he jumps to.
    await piece(a ?? '', 15)
    // The rest of this one is made in no time, and then its place is free.
    await piece(b ?? '', 19)
    await waitFor(
      async () => ((await codeOf(piece(c ?? '', 0))) === 'none' ? true : undefined),
      60_000,
      () => 'the second stream never ended',
    )
  })
})

test('a stream that there is no place for is not even opened, unless it needs none, or has one', async () => {
  const [a, b] = [await streamOf('mpeg4.avi'), await streamOf('b.avi', 2)]
  const id = sessions.open(a)
  await Promise.all([piece(id, 0), piece(sessions.open(b), 0)])
  const late = await streamOf('c.avi', 3)
  expect(() => sessions.open(late)).toThrow(expect.objectContaining({ code: 'unavailable' }))
  const copied = { ...late, source: { ...late.source, plan: { ...late.source.plan, video: { index: 0, action: 'copy' as const } } } }
  expect(sessions.open(copied)).toBeString()
  expect([sessions.open(a), sessions.open({ ...a, source: { ...a.source, quality: 360 } })]).toEqual([id, expect.any(String)])
})

test('whoever watches nothing yet gets the longer unused one of two streams of one viewer, and no one’s only stream', async () => {
  const [a, b, c] = [await streamOf('mpeg4.avi'), await streamOf('b.avi'), await streamOf('c.avi', 2)]
  const [first, second] = [sessions.open(a), sessions.open(b)]
  await piece(first, 0)
  await piece(second, 0)
  const third = sessions.open(c)
  expect(await codeOf(piece(third, 0))).toBe('none')
  const folders = async () => (await readdir(join(dataFolder(), 'tmp/hls'))).toSorted()
  expect(await folders()).toEqual([second, third].toSorted())
  // Each of the two has one now.
  expect(() => sessions.open({ ...c, userId: 3 })).toThrow(expect.objectContaining({ code: 'unavailable' }))
  expect(await codeOf(piece(first, 8))).toBe('none')
  expect(await folders()).toEqual([first, third].toSorted())
})

test('two streams of one viewer that are waited for all the time give way too', async () => {
  const [first, second] = [sessions.open(await streamOf('mpeg4.avi')), sessions.open(await streamOf('b.avi'))]
  await Promise.all([piece(first, 0), piece(second, 0)])
  const waiting = Promise.all([codeOf(piece(first, 15)), codeOf(piece(second, 15))])
  expect(await codeOf(piece(sessions.open(await streamOf('c.avi', 2)), 0))).toBe('none')
  expect((await ffmpegs()).length).toBeLessThanOrEqual(2)
  await waiting
})

test('somebody who opens one video after the other is not refused: what he left gives way', async () => {
  const ids: string[] = []
  for (const name of ['mpeg4.avi', 'b.avi', 'c.avi']) {
    ids.push(sessions.open(await streamOf(name)))
    await piece(ids.at(-1) ?? '', 0)
  }
  expect((await ffmpegs()).length).toBeLessThanOrEqual(2)
  expect((await files()).filter((name) => name.startsWith(ids[0] ?? ''))).toEqual([])
})

test('two streams of one viewer and video, begun at once and then moved at once, do not wait for each other', async () => {
  const stream = await streamOf('b.avi')
  const ids = ([360, 480] as const).map((quality) => sessions.open({ ...stream, source: { ...stream.source, quality } }))
  const moveTo = (number: number) => Promise.allSettled(ids.map((id) => piece(id, number)))
  await moveTo(0)
  expect((await ffmpegs()).length).toBeLessThanOrEqual(1)
  await moveTo(15)
  expect(await codeOf(piece(ids[0] ?? '', 7))).toBe('none')
})

test('a stream that its viewer closes ends at once', async () => {
  const id = sessions.open(await streamOf('b.avi'))
  await piece(id, 0)
  sessions.close(id)
  expect(sessions.find(id)).toBeUndefined()
  await waitFor(
    async () => ((await files()).length + (await ffmpegs()).length === 0 ? true : undefined),
    60_000,
    () => 'it goes on',
  )
})

describe('a stream', () => {
  test('makes a little more than what is asked for, by one process', async () => {
    const id = sessions.open(await streamOf('b.avi'))
    await piece(id, 0)
    expect(await ffmpegs()).toHaveLength(1)
    await waitFor(
      async () => ((await files()).some((name) => name.endsWith('seg-13.m4s')) ? true : undefined),
      60_000,
      () => 'nothing was made ahead',
    )
    await Bun.sleep(300)
    const ahead = (await files()).filter((name) => name.endsWith('.m4s'))
    // 40 seconds ahead are 14 pieces.
    expect(ahead.length).toBeLessThanOrEqual(15)
  })
  test('makes nothing ahead while the disk of the data folder is nearly full, and goes on with each piece that is asked for', async () => {
    isDiskNearlyFull = true
    const id = sessions.open(await streamOf('b.avi'))
    const made = async (): Promise<number> => (await files()).filter((name) => name.endsWith('.m4s')).length
    for (let number = 0; number < 3; number += 1) {
      expect(await Bun.file(await piece(id, number)).exists()).toBe(true)
      await Bun.sleep(1000)
      expect(await made()).toBe(number + 1)
    }
    isDiskNearlyFull = false
    await piece(id, 3)
    await waitFor(
      async () => ((await made()) > 6 ? true : undefined),
      60_000,
      () => 'nothing was made ahead',
    )
  })
  test('takes away what lies far behind', async () => {
    const id = sessions.open(await streamOf('b.avi'))
    for (let number = 0; number < 20; number += 1) await piece(id, number)
    await waitFor(
      async () => ((await files()).some((name) => name.endsWith('seg-0.m4s')) ? undefined : true),
      60_000,
      () => 'the first piece stayed',
    )
    // And makes it again for somebody who goes back.
    expect(await Bun.file(await piece(id, 0)).exists()).toBe(true)
  })
  test('is the same one for the same viewer and plan, and each viewer has his own', async () => {
    const stream = await streamOf('b.avi')
    const first = sessions.open(stream)
    expect(first).toMatch(/^[\w-]{24}$/)
    expect(sessions.open(await streamOf('b.avi'))).toBe(first)
    expect(sessions.open(await streamOf('b.avi', 2))).not.toBe(first)
    const { source } = stream
    const silent = { ...source, plan: { ...source.plan, audio: null } }
    expect(sessions.open({ ...stream, source: silent })).not.toBe(first)
  })
  test('ends when its viewer opens the same file with another sound track', async () => {
    const stream = await streamOf('b.avi')
    const first = sessions.open(stream)
    await piece(first, 0)
    const other = sessions.open({ ...stream, source: { ...stream.source, plan: { ...stream.source.plan, audio: null } } })
    await piece(other, 0)
    expect(await ffmpegs()).toHaveLength(1)
    expect((await files()).filter((name) => name.startsWith(first))).toEqual([])
  })
  test('serves two screens at distant places, one after the other', async () => {
    const id = sessions.open(await streamOf('b.avi'))
    const both = await Promise.all([piece(id, 2), piece(id, 17), piece(id, 3), piece(id, 18)])
    expect(both.map((file) => file.slice(file.lastIndexOf('/') + 1))).toEqual(['seg-2.m4s', 'seg-17.m4s', 'seg-3.m4s', 'seg-18.m4s'])
  })
  test('does not go on for a request that was given up', async () => {
    const id = sessions.open(await streamOf('b.avi'))
    const gone = new AbortController()
    const abandoned = codeOf(piece(id, 15, gone.signal))
    gone.abort()
    expect(await abandoned).not.toBe('none')
    expect(await Bun.file(await piece(id, 0)).exists()).toBe(true)
  })
  test('keeps what somebody has waited for, however many other places were asked for meanwhile', async () => {
    const id = sessions.open(await streamOf('b.avi'))
    const last = codeOf(piece(id, 19))
    for (const number of [8, 7, 6, 5, 4, 3, 2, 1, 0]) {
      const gone = new AbortController()
      const abandoned = codeOf(piece(id, number, gone.signal))
      gone.abort()
      await abandoned
    }
    expect(await last).toBe('none')
  })
  test('is nothing that a client who has gone already could fail at', async () => {
    const id = sessions.open(await streamOf('b.avi'))
    expect(await codeOf(piece(id, 0, AbortSignal.abort()))).toBe('unavailable')
  })
  test('that nobody listens to ends, its files go, and it begins again where it is wanted', async () => {
    await sessions.stop()
    sessions = start({ idleMs: 600 })
    const id = sessions.open(await streamOf('b.avi'))
    await piece(id, 4)
    await waitFor(
      async () => ((await files()).length === 0 ? true : undefined),
      60_000,
      () => 'the files stayed',
    )
    expect(await ffmpegs()).toEqual([])
    expect(await sessions.init(id, never)).toEndWith('init.mp4')
    expect(await piece(id, 5)).toEndWith('seg-5.m4s')
  })
})

test('a stop leaves no process and no file', async () => {
  const id = sessions.open(await streamOf('b.avi'))
  await piece(id, 0)
  const waiting = codeOf(piece(id, 19))
  await sessions.stop()
  expect([await waiting, await ffmpegs(), await files()]).toEqual(['unavailable', [], []])
  const handle = await open(dataFolder())
  await handle.close()
})
