import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createEpisodeReader } from '../../src/domain/episode-name.ts'
import type { NfoFields } from '../../src/domain/nfo.ts'
import { MediaError } from '../../src/media/inside.ts'
import { findNfo, parseNfo, readNfo } from '../../src/media/nfo.ts'
import { NfoError } from '../../src/media/nfo-error.ts'
import { link, makeTree } from '../support/library-tree.ts'
import { processorMs } from '../support/processor-time.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { KODI_MOVIE, MAX_BYTES, NFO_CORPUS, type NfoCase, NO_FIELDS } from './nfo-corpus.ts'

const MAX_MS = 100
const MAX_GROWTH_BYTES = 20_000_000

let folder: TemporaryFolder
beforeAll(async () => {
  folder = await temporaryFolder('nfo')
})
afterAll(() => folder.remove())

const readCase = async (place: number, { itemType, content, stem }: NfoCase): Promise<NfoFields | string> => {
  const name = `${place}.nfo`
  if (!existsSync(join(folder.path, name))) writeFileSync(join(folder.path, name), content)
  try {
    const { bytes } = await readNfo(folder.path, name)
    return parseNfo(bytes, itemType, stem === undefined ? undefined : createEpisodeReader('Show')(stem, null))
  } catch (error) {
    if (error instanceof NfoError) return error.code
    throw error
  }
}

describe('an NFO file', () => {
  for (const [place, one] of NFO_CORPUS.entries())
    test(`${one.itemType}: ${JSON.stringify(one.name.slice(0, 120))} ${one.expected === null ? 'is refused' : 'says what it says'}`, async () => {
      const said = await readCase(place, one)
      if (one.expected === null) expect(said).toBeString()
      else expect(said).toEqual({ ...NO_FIELDS, ...one.expected })
    })

  test('is one of at least two hundred that differ', () => {
    expect(new Set(NFO_CORPUS.map(({ content }) => content.toString())).size).toBeGreaterThanOrEqual(200)
  })

  test('takes at most 100 ms and 20 MB, whatever is in it', async () => {
    for (const [place, one] of NFO_CORPUS.entries()) {
      const runs: { ms: number; growth: number }[] = []
      // The machine has other things to do: the best of a few runs is what the file costs.
      for (let run = 0; run < 5 && !runs.some(({ ms, growth }) => ms < MAX_MS && growth < MAX_GROWTH_BYTES); run++) {
        Bun.gc(true)
        const [before, started] = [process.memoryUsage.rss(), processorMs()]
        await readCase(place, one)
        runs.push({ ms: processorMs() - started, growth: process.memoryUsage.rss() - before })
      }
      expect([one.name.slice(0, 120), Math.min(...runs.map(({ ms }) => ms)) < MAX_MS]).toEqual([one.name.slice(0, 120), true])
      expect([one.name.slice(0, 120), Math.min(...runs.map(({ growth }) => growth)) < MAX_GROWTH_BYTES]).toEqual([
        one.name.slice(0, 120),
        true,
      ])
    }
  }, 60_000)

  test('with any byte changed is refused or gives fields within their bounds', () => {
    const sound = new TextEncoder().encode(KODI_MOVIE)
    let seed = 1
    const next = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    let refused = 0
    for (let round = 0; round < 3000; round++) {
      const bytes = sound.slice()
      for (let change = next(3); change >= 0; change--) bytes[next(bytes.length)] = next(256)
      try {
        const { title, year, rating, runtimeMinutes, airedAt, genres } = parseNfo(bytes, 'movie')
        expect(title ?? 'x').not.toBe('')
        expect((year ?? 1900) > 1850 && (year ?? 1900) < 3000).toBe(true)
        expect((rating ?? 0) >= 0 && (rating ?? 0) <= 10).toBe(true)
        expect(Number.isInteger(runtimeMinutes ?? 1)).toBe(true)
        expect(airedAt ?? '2000-01-01').toMatch(/^\d{4}-\d{2}-\d{2}$/)
        expect(genres.length).toBeLessThan(4)
      } catch (error) {
        if (!(error instanceof NfoError)) throw error
        refused += 1
      }
    }
    expect(refused).toBeGreaterThan(300)
    expect(refused).toBeLessThan(2700)
  })
})

describe('reading', () => {
  test('refuses what is too large without reading it, and what is no file of the library', async () => {
    const root = makeTree(join(folder.path, 'reading'), {
      'large.nfo': MAX_BYTES + 1,
      'out.nfo': link('../0.nfo'),
      'gone.nfo': link('nowhere.nfo'),
      folder: {},
    })
    expect(await readNfo(root, 'large.nfo').catch((error: unknown) => error)).toBeInstanceOf(NfoError)
    for (const path of ['out.nfo', 'gone.nfo', 'folder', '../0.nfo', '/etc/hostname', 'none.nfo', ''])
      expect(await readNfo(root, path).catch((error: unknown) => error)).toBeInstanceOf(MediaError)
  })

  test('answers the bytes and when they were written', async () => {
    const root = makeTree(join(folder.path, 'times'), { 'a.nfo': KODI_MOVIE })
    const { bytes, modifiedAt } = await readNfo(root, 'a.nfo')
    expect(new TextDecoder().decode(bytes)).toBe(KODI_MOVIE)
    expect(Math.abs(Date.now() - modifiedAt)).toBeLessThan(60_000)
  })
})

describe('finding', () => {
  test('takes the first path that is a file, in any case, also below subfolders', async () => {
    const root = makeTree(join(folder.path, 'finding'), {
      Film: { 'MOVIE.NFO': 'a', 'film.nfo': 'b', 'x.nfo': {}, Video_ts: { 'video_TS.nfo': 'c' } },
    })
    expect(await findNfo(root, 'Film', ['x.nfo', 'y.nfo'])).toBeUndefined()
    expect(await findNfo(root, 'Film/none', ['movie.nfo'])).toBeUndefined()
    expect(await findNfo(root, '../finding/Film', ['movie.nfo'])).toBeUndefined()
    expect(await findNfo(root, 'Film', ['movie.nfo', 'film.nfo'])).toBe('Film/MOVIE.NFO')
    expect(await findNfo(root, 'Film', ['y.nfo', 'Film.nfo', 'movie.nfo'])).toBe('Film/film.nfo')
    expect(await findNfo(root, 'Film', ['VIDEO_TS/VIDEO_TS.nfo', 'movie.nfo'])).toBe('Film/Video_ts/video_TS.nfo')
  })

  test('of two names that differ in case, always takes the same one', async () => {
    const root = join(folder.path, 'cases')
    mkdirSync(root)
    for (const name of ['movie.nfo', 'Movie.nfo', 'mOvie.nfo']) writeFileSync(join(root, name), name)
    expect(await findNfo(root, '', ['movie.nfo'])).toBe('Movie.nfo')
  })
})
