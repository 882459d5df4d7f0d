/** Still pictures that ffmpeg reads and sharp's libvips does not. */

import { DecodeError } from './decode-error.ts'
import { runFfmpeg, shownSizeOf } from './ffmpeg.ts'
import type { PictureFormat } from './picture-format.ts'

/** ffmpeg's names of their demuxers. */
const DEMUXERS = { bmp: 'bmp_pipe', jxl: 'jpegxl_pipe' } as const satisfies Partial<Record<PictureFormat, string>>

export type StillFormat = keyof typeof DEMUXERS

export const isStill = (format: PictureFormat | undefined): format is StillFormat => format !== undefined && Object.hasOwn(DEMUXERS, format)

interface Still {
  /** As wide as was asked for, at most. */
  png: Uint8Array
  /** Pixels of the picture itself, turned upright. */
  width: number
  height: number
}

const refusal = (log: string): DecodeError => {
  if (/unknown input format|decoder .*not found/i.test(log)) return new DecodeError('unsupported', 'This ffmpeg cannot read the format.')
  // libjxl's decoder says nothing of it but that no size is left.
  if (/exceeds the maximum|picture size .* is invalid|cannot allocate memory|video_size to value 0x0/i.test(log))
    return new DecodeError('too_large', 'The picture has too many pixels.')
  return new DecodeError('broken', 'The picture cannot be decoded.')
}

/** Throws `DecodeError`. */
export const decodeStill = async (
  { input, format }: { input: number | Uint8Array; format: StillFormat },
  { ffmpegPath, maxPixels, maxWidth }: { ffmpegPath: string; maxPixels: number; maxWidth: number },
): Promise<Still> => {
  const demuxer = DEMUXERS[format]
  const { output, log } = await runFfmpeg({
    ffmpegPath,
    input,
    formats: [demuxer],
    inputOptions: ['-f', demuxer, '-max_pixels', String(maxPixels)],
    // biome-ignore format: one option and its value a pair
    outputOptions: [
      '-frames:v', '1', '-vf', `showinfo=checksum=0,scale=w='min(${maxWidth},iw)':h=-1`, '-c:v', 'png', '-f', 'image2pipe',
    ],
  })
  const size = shownSizeOf(log)
  if (output.length === 0 || size === null) throw refusal(log)
  return { png: output, ...size }
}
