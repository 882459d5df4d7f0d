/** The main thread's side of volumes and of single pictures: threads that open them, and the smaller ones that were made once. */

import { join } from 'node:path'
import type { Asker, Deps, PageBytes, PageList, PageReader } from '../deps.ts'
import { createGateOfPeople } from '../domain/gate.ts'
import { AppError } from '../errors.ts'
import { createLightPages } from '../services/light-pages.ts'
import type { PageAnswer, PageFailure, PageListRequest, PageRequest, PictureRequest } from '../workers/protocol.ts'
import { createPageCache } from './page-cache.ts'
import { createSharedReadings } from './shared-readings.ts'
import { threadUrl } from './thread-url.ts'
import { createWorkerPool } from './worker-pool.ts'

/** A reader fetches some pages ahead of the one that is shown. */
const THREADS = 2
const REQUEST_TIMEOUT_MS = 60_000
const MAX_CACHE_BYTES = 1024 * 1024 * 1024
const WEBP = 'image/webp'

type ImageRequest = Omit<PageRequest, 'id'> | Omit<PictureRequest, 'id'>

const toAppError = ({ code, message }: PageFailure): AppError => {
  if (code === 'not_found') return new AppError('not_found')
  return code === 'unavailable' ? new AppError('unavailable', 'The volume cannot be read now.') : new AppError('pages_unreadable', message)
}

export const createPageReader = (
  { config, log }: Pick<Deps, 'log'> & { config: Pick<Deps['config'], 'dataDir' | 'ffmpegPath'> },
  { isDiskNearlyFull }: { isDiskNearlyFull: () => boolean },
): PageReader & { close(): void } => {
  const pool = createWorkerPool<PageListRequest | PageRequest | PictureRequest, PageAnswer>({
    url: threadUrl('page-reader'),
    size: THREADS,
    timeoutMs: REQUEST_TIMEOUT_MS,
  })
  const { dataDir, ffmpegPath } = config
  const cache = createPageCache(join(dataDir, 'pages'), MAX_CACHE_BYTES)
  const readLightPage = createLightPages()
  // What has begun is finished though nobody waits: it is kept for whoever comes back, and no thread is thrown away.
  const inTurnOf = createGateOfPeople(THREADS)
  const listShared = createSharedReadings<PageList | null>(inTurnOf)
  const readShared = createSharedReadings<PageBytes | null>(inTurnOf)

  /** An archive that takes its thread down is as bad as one that cannot be read. Null where it is not the one that is meant. */
  const ask = async <Type extends 'pages' | 'page'>(
    type: Type,
    request: Omit<PageListRequest, 'id'> | ImageRequest,
  ): Promise<Extract<PageAnswer, { type: Type }> | null> => {
    const answer = await pool.ask(request).catch((error: unknown) => {
      log.warn('page_reader_failed', { path: request.path, error })
      throw new AppError('pages_unreadable', 'The volume could not be read in time.', { cause: error })
    })
    if (answer.type === 'failed') {
      if (answer.code === 'replaced') return null
      throw toAppError(answer)
    }
    if (!isOf(answer, type)) throw new Error('The page reader answered another question.')
    return answer
  }

  const getKept = async (name: string, { width }: { width: number | null }): Promise<PageBytes | undefined> => {
    const bytes = width === null ? undefined : await cache.get(name)
    return bytes && { bytes, mediaType: WEBP }
  }

  const make = async (name: string, request: ImageRequest): Promise<PageBytes | null> => {
    const made = await ask('page', request)
    if (!made) return null
    const { bytes, mediaType } = made
    if (request.width !== null && mediaType === WEBP && !isDiskNearlyFull())
      await cache.keep(name, bytes).catch((error: unknown) => log.warn('page_not_kept', { name, error }))
    return { bytes, mediaType }
  }

  /** Made once, and kept where it is not the file's own bytes, and there is room for what can be made again. */
  const readKept = async (name: string, request: ImageRequest, asker: Asker): Promise<PageBytes | null> =>
    (await getKept(name, request)) ??
    // Somebody who has gone may have had it made meanwhile.
    readShared(name, asker, async () => (await getKept(name, request)) ?? make(name, request))

  return {
    list: ({ itemId, version, root, path, stamp }, asker) =>
      listShared(`${itemId}-${version}`, asker, async () => {
        const listed = await ask('pages', { type: 'pages', root, path, stamp })
        return (
          listed && { sizes: listed.sizes, ...(listed.comicInfo ?? { title: null, number: null, volume: null, readingDirection: null }) }
        )
      }),
    read: async (volume, page, asker) => {
      const { itemId, version, root, path, stamp } = volume
      const light = page.width === null ? await readLightPage(volume, page.index) : null
      const request = { type: 'page', root, path, stamp, ffmpegPath, ...page } as const
      return light ?? readKept(`${itemId}-${version}-${page.index}-${page.width}.webp`, request, asker)
    },
    // Two pictures of an item that were copied together may have the same version.
    readPicture: ({ itemId, version, root, path }, width, asker) => {
      const name = `${itemId}-${version}-${Bun.hash(path).toString(36)}-${width}.webp`
      return readKept(name, { type: 'picture', root, path, version, ffmpegPath, width }, asker)
    },
    close: () => pool.close(),
  }
}

const isOf = <Type extends 'pages' | 'page'>(answer: PageAnswer, type: Type): answer is Extract<PageAnswer, { type: Type }> =>
  answer.type === type
