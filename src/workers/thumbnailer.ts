/** A thread that decodes: thumbnails, and partial hashes of files. One job at a time; whatever happens, it answers. */

import { createGate } from '../domain/gate.ts'
import { errorMessage } from '../domain/thrown-error.ts'
import { THUMBNAIL_SIZES } from '../domain/thumbnail-size.ts'
import { coverIndex, openPages, type Pages } from '../media/archive-pages.ts'
import { hashesInside } from '../media/content-hash.ts'
import { DecodeError, NoFfmpegError } from '../media/decode-error.ts'
import { MediaError, type OpenedFile, openInside } from '../media/inside.ts'
import { type Picture, pictureOfBytes, pictureOfFile, pictureOfPixels } from '../media/picture.ts'
import { pictureTakenAt, videoTakenAt } from '../media/taken-at.ts'
import { makeThumbnails } from '../media/thumbnail.ts'
import { videoFrame } from '../media/video-frame.ts'
import {
  type DateAnswer,
  type DateRequest,
  type HashAnswer,
  type HashRequest,
  isHashRequest,
  isRecord,
  isText,
  type ThumbnailAnswer,
  type ThumbnailReady,
  type ThumbnailRequest,
} from './protocol.ts'

declare const self: Worker

type Made = Omit<Extract<ThumbnailAnswer, { ok: true }>, 'type' | 'id' | 'ok'>

/** The wanted size straight from the source, at the smallest scale that will do; then the others, each from the next larger. */
const makeAll = async (picture: Picture, { id, targets, first }: ThumbnailRequest): Promise<string> => {
  const wanted = targets.filter(({ size }) => size === first)
  const others = targets.filter(({ size }) => size !== first)
  if (wanted.length === 0) return makeThumbnails(picture, targets)
  const thumbhash = await makeThumbnails(picture, wanted)
  self.postMessage({ type: 'ready', id } satisfies ThumbnailReady)
  return others.length > 0 ? makeThumbnails(picture, others) : thumbhash
}

const make = async (picture: Picture, request: ThumbnailRequest): Promise<Made> => ({
  width: picture.width,
  height: picture.height,
  durationSeconds: null,
  pageCount: null,
  takenAt: null,
  thumbhash: await makeAll(picture, request),
})

const DATES = { image: pictureTakenAt, video: videoTakenAt } as const

/** It is no reason to do without the picture. */
const dateOf = (kind: DateRequest['kind'], file: OpenedFile): Promise<number | null> => DATES[kind](file).catch(() => null)

const fromImage = async (request: ThumbnailRequest): Promise<Made> => {
  const file = await openInside(request.root, request.path)
  try {
    const made = await make(await pictureOfFile(file, { name: request.path, ffmpegPath: request.ffmpegPath }), request)
    return { ...made, takenAt: await dateOf('image', file) }
  } finally {
    await file.handle.close()
  }
}

const fromVideo = async (request: ThumbnailRequest): Promise<Made> => {
  const { ffmpegPath } = request
  if (ffmpegPath === null) throw new NoFfmpegError('Frames of videos need ffmpeg.')
  const file = await openInside(request.root, request.path)
  try {
    if (file.size === 0) throw new DecodeError('broken', 'The file is empty.')
    const frame = await videoFrame(ffmpegPath, { fd: file.handle.fd, size: file.size })
    const made = await make(await pictureOfPixels(frame, 3), request)
    const { videoWidth: width, videoHeight: height, durationSeconds } = frame
    return { ...made, width, height, durationSeconds, takenAt: await dateOf('video', file) }
  } finally {
    await file.handle.close()
  }
}

/** So many pages are tried where the first ones are damaged. */
const MAX_COVERS = 3

const isDamaged = (error: unknown): boolean =>
  error instanceof DecodeError && !(error instanceof NoFfmpegError) && (error.code === 'broken' || error.code === 'unsupported')

/** Of the first of these pages that is a picture. */
const fromFirst = async (pages: Pages, [index = 0, ...others]: readonly number[], request: ThumbnailRequest): Promise<Made> => {
  try {
    return await make(await pictureOfBytes(await pages.read(index), request.ffmpegPath), request)
  } catch (error) {
    if (others.length > 0 && isDamaged(error)) return fromFirst(pages, others, request)
    throw error
  }
}

const fromPages = async (request: ThumbnailRequest): Promise<Made> => {
  const pages = await openPages(request.root, request.path)
  try {
    if (pages.names.length === 0) throw new DecodeError('unsupported', 'There are no pages.')
    const covers = new Set([coverIndex(pages.names), ...pages.names.keys()])
    const made = await fromFirst(pages, [...covers].slice(0, MAX_COVERS), request)
    return { ...made, pageCount: pages.names.length }
  } finally {
    await pages.close()
  }
}

const MAKERS = { image: fromImage, video: fromVideo, pages: fromPages } as const satisfies Record<ThumbnailRequest['kind'], unknown>

/** A file that cannot be read now may be readable later; one that is no file, or lies outside, will not become a picture. */
const codeOf = (error: unknown): Extract<ThumbnailAnswer, { ok: false }>['code'] => {
  if (error instanceof NoFfmpegError) return 'no_ffmpeg'
  if (error instanceof DecodeError) return error.code
  return error instanceof MediaError && (error.code === 'outside' || error.code === 'not_a_file') ? 'unsupported' : 'unavailable'
}

const answerThumbnail = async (request: ThumbnailRequest): Promise<ThumbnailAnswer> => {
  const { id, kind } = request
  try {
    return { type: 'thumbnail', id, ok: true, ...(await MAKERS[kind](request)) }
  } catch (error) {
    return { type: 'thumbnail', id, ok: false, code: codeOf(error), message: errorMessage(error) }
  }
}

const answerHashes = async ({ id, root, paths }: HashRequest): Promise<HashAnswer> => ({
  type: 'hashes',
  id,
  hashes: await hashesInside(root, paths),
})

const answerDate = async ({ id, root, path, kind }: DateRequest): Promise<DateAnswer> => {
  try {
    const file = await openInside(root, path)
    return { type: 'date', id, takenAt: await DATES[kind](file).finally(() => file.handle.close()) }
  } catch (error) {
    const isTold = error instanceof RangeError || codeOf(error) !== 'unavailable'
    return { type: 'date', id, takenAt: isTold ? null : undefined }
  }
}

const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value)

const isTarget = (value: unknown): boolean =>
  isRecord(value) && isText(value.size) && Object.hasOwn(THUMBNAIL_SIZES, value.size) && isText(value.file)

const isThumbnailRequest = (message: Record<string, unknown>): message is Record<string, unknown> & ThumbnailRequest =>
  message.type === 'thumbnail' &&
  isText(message.kind) &&
  Object.hasOwn(MAKERS, message.kind) &&
  isText(message.root) &&
  isText(message.path) &&
  isTextOrNull(message.ffmpegPath) &&
  Array.isArray(message.targets) &&
  message.targets.every(isTarget) &&
  (message.first === undefined || isText(message.first))

const isDateRequest = (message: Record<string, unknown>): message is Record<string, unknown> & DateRequest =>
  message.type === 'date' && isText(message.kind) && Object.hasOwn(DATES, message.kind) && isText(message.root) && isText(message.path)

/** Undefined for a message without an id, which nobody waits for. */
const answer = async (message: unknown): Promise<ThumbnailAnswer | HashAnswer | DateAnswer | undefined> => {
  if (!isRecord(message) || typeof message.id !== 'number') return undefined
  if (isThumbnailRequest(message)) return answerThumbnail(message)
  if (isHashRequest(message)) return answerHashes(message)
  if (isDateRequest(message)) return answerDate(message)
  return { type: 'thumbnail', id: message.id, ok: false, code: 'unsupported', message: 'The request is not well formed.' }
}

const inTurn = createGate(1)

self.onmessage = ({ data }: MessageEvent<unknown>): void => {
  void inTurn(async () => {
    const reply = await answer(data)
    if (reply) self.postMessage(reply)
  })
}
