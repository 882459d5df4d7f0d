/** Opens the pictures that a model looks at or that text is read from, one after the other. */

import type { AiPictureSource } from '../domain/ai-picture.ts'
import { coverIndex, openPages } from './archive-pages.ts'
import { DecodeError } from './decode-error.ts'
import { MediaError, openInside } from './inside.ts'
import { type Picture, pictureOfBytes, pictureOfFile, pictureOfPixels, toDecodeError } from './picture.ts'
import { videoFrames } from './video-frame.ts'

/** Where in a video its frames are taken: past the first black, before the credits. */
const FRAME_PLACES = [0.1, 0.35, 0.6, 0.85] as const

/** Small letters fade below this quality. */
const JPEG = { quality: 85, chromaSubsampling: '4:4:4' } as const

export interface AiPicture {
  /** Counts on over all sources. */
  page: number
  /** Opens it; what it takes is let go when `look` is done. Throws `DecodeError` or `MediaError`. */
  use: <T>(look: (picture: Picture) => Promise<T>) => Promise<T>
}

interface AiPicturePlace {
  /** Absolute, resolved. */
  root: string
  ffmpegPath: string | null
}

type Use = AiPicture['use']

async function* ofFile({ root, ffmpegPath }: AiPicturePlace, path: string): AsyncGenerator<Use> {
  yield async (look) => {
    const file = await openInside(root, path)
    try {
      return await look(await pictureOfFile(file, { name: path, ffmpegPath }))
    } finally {
      await file.handle.close()
    }
  }
}

async function* ofVideo({ root, ffmpegPath }: AiPicturePlace, path: string): AsyncGenerator<Use> {
  if (ffmpegPath === null) throw new DecodeError('unsupported', 'Frames of videos need ffmpeg.')
  const file = await openInside(root, path)
  try {
    if (file.size === 0) throw new DecodeError('broken', 'The file is empty.')
    for (const frame of await videoFrames(ffmpegPath, { fd: file.handle.fd, size: file.size }, FRAME_PLACES))
      yield async (look) => look(await pictureOfPixels(frame, 3))
  } finally {
    await file.handle.close()
  }
}

async function* ofVolume({ root, ffmpegPath }: AiPicturePlace, path: string, isCoverAlone: boolean): AsyncGenerator<Use> {
  const pages = await openPages(root, path)
  try {
    if (pages.names.length === 0) throw new DecodeError('unsupported', 'There are no pages.')
    const wanted = isCoverAlone ? [coverIndex(pages.names)] : pages.names.keys()
    for (const index of wanted) yield async (look) => look(await pictureOfBytes(await pages.read(index), ffmpegPath))
  } finally {
    await pages.close()
  }
}

const openSource = (place: AiPicturePlace, { kind, path }: AiPictureSource): AsyncGenerator<Use> => {
  if (kind === 'image') return ofFile(place, path)
  return kind === 'video' ? ofVideo(place, path) : ofVolume(place, path, kind === 'cover')
}

/** Throws `DecodeError` or `MediaError` where a source cannot be opened at all, as without a root, which an item that is missing has not. */
export async function* openAiPictures(
  { root, ffmpegPath }: Omit<AiPicturePlace, 'root'> & { root: string | null },
  sources: readonly AiPictureSource[],
): AsyncGenerator<AiPicture> {
  if (root === null) throw new MediaError('not_found')
  let page = 0
  for (const source of sources)
    for await (const use of openSource({ root, ffmpegPath }, source)) {
      yield { page, use }
      page += 1
    }
}

/** The picture as JPEG, neither side longer than `maxSide` pixels. Throws `DecodeError`. */
export const jpegForModel = async (picture: Picture, maxSide: number): Promise<Uint8Array> => {
  try {
    return await picture
      .open()
      .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .jpeg(JPEG)
      .toBuffer()
  } catch (error) {
    throw toDecodeError(error)
  }
}
