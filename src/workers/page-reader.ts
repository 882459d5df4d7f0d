/** A thread that reads volumes, their pages' sizes and one page at a time, and pictures that are files of their own. Whatever happens, it answers. */

import { join } from 'node:path'
import { createGate } from '../domain/gate.ts'
import { errorMessage } from '../domain/thrown-error.ts'
import { MAX_PAGE_BYTES, openPages, type Pages } from '../media/archive-pages.ts'
import { parseComicInfo } from '../media/comic-info.ts'
import { DecodeError } from '../media/decode-error.ts'
import { MediaError, openInside } from '../media/inside.ts'
import { HEAD_BYTES, pageImage, sizeOfPage } from '../media/page-image.ts'
import { bytesAt } from '../media/read-at.ts'
import { hasVersion } from '../scan/entry-hash.ts'
import { isRecord, type PageAnswer, type PageFailure, type PageListRequest, type PageRequest, type PictureRequest } from './protocol.ts'

declare const self: Worker

/** Such as a link that leads nowhere, or a folder: whatever happens to the disk, it is no picture. */
const isNoFile = (error: unknown): boolean => error instanceof MediaError && error.code !== 'unreadable'

const noneIfUndecodable = (error: unknown): null => {
  if (error instanceof DecodeError || isNoFile(error)) return null
  throw error
}

/** By its first bytes; a picture that has its size further back is read whole. */
const sizeAt = async (pages: Pages, index: number): Promise<[number, number] | null> => {
  const size =
    (await pages.readHead(index, HEAD_BYTES).then(sizeOfPage).catch(noneIfUndecodable)) ??
    (await pages.read(index).then(sizeOfPage).catch(noneIfUndecodable))
  return size && [size.width, size.height]
}

const listPages = async (pages: Pages, { id }: PageListRequest): Promise<PageAnswer> => {
  const sizes: ([number, number] | null)[] = []
  for (const index of pages.names.keys()) sizes.push(await sizeAt(pages, index))
  const description = await pages.readComicInfo().catch(noneIfUndecodable)
  return { type: 'pages', id, sizes, comicInfo: (description && parseComicInfo(description)) ?? null }
}

const readPage = async (pages: Pages, { id, index, ...wanted }: PageRequest): Promise<PageAnswer> => ({
  type: 'page',
  id,
  ...(await pageImage(await pages.read(index), wanted)),
})

/** Whoever asked goes by its version or stamp, under which it would be kept. */
const replaced = (id: number): PageFailure => ({ type: 'failed', id, code: 'replaced', message: 'Something else lies there by now.' })

const readPicture = async ({ id, root, path, version, ...wanted }: PictureRequest): Promise<PageAnswer> => {
  const file = await openInside(root, path)
  try {
    if (!(await hasVersion(file.handle, version, join(root, path)))) return replaced(id)
    if (file.size > MAX_PAGE_BYTES) throw new DecodeError('too_large', `A picture of ${file.size} bytes is too large.`)
    return { type: 'page', id, ...(await pageImage(await bytesAt(file, 0, file.size), wanted)) }
  } finally {
    await file.handle.close()
  }
}

const codeOf = (error: unknown): PageFailure['code'] => {
  if (error instanceof DecodeError) return error.code
  return isNoFile(error) ? 'not_found' : 'unavailable'
}

const answer = async (request: PageListRequest | PageRequest | PictureRequest): Promise<PageAnswer> => {
  let pages: Pages | undefined
  try {
    if (request.type === 'picture') return await readPicture(request)
    pages = await openPages(request.root, request.path)
    if (pages.stamp !== request.stamp) return replaced(request.id)
    return await (request.type === 'pages' ? listPages(pages, request) : readPage(pages, request))
  } catch (error) {
    return { type: 'failed', id: request.id, code: codeOf(error), message: errorMessage(error) }
  } finally {
    await pages?.close()
  }
}

const isRequest = (message: unknown): message is PageListRequest | PageRequest | PictureRequest => {
  if (!isRecord(message) || typeof message.id !== 'number' || typeof message.root !== 'string' || typeof message.path !== 'string')
    return false
  if (message.type !== 'picture' && typeof message.stamp !== 'string') return false
  if (message.type === 'pages') return true
  if (message.ffmpegPath !== null && typeof message.ffmpegPath !== 'string') return false
  if (message.type === 'picture') return Number.isSafeInteger(message.width) && typeof message.version === 'string'
  return message.type === 'page' && Number.isSafeInteger(message.index) && (message.width === null || Number.isSafeInteger(message.width))
}

const inTurn = createGate(1)

self.onmessage = ({ data }: MessageEvent<unknown>): void => {
  void inTurn(async () => {
    if (isRequest(data)) self.postMessage(await answer(data))
  })
}
