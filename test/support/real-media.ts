import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { type ZipAttributes, zipSync } from 'fflate'
import sharp, { type Sharp } from 'sharp'
import { writeHeic } from './heic-file.ts'
import { makeTree, type Tree } from './library-tree.ts'
import { runProgram } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Small real files, made where they are needed: pictures by sharp, clips by ffmpeg, archives with modes and links. */

interface PictureSpec {
  width?: number
  height?: number
  /** Another seed, another picture. */
  seed?: number
  /** EXIF orientation 1..8, as cameras write it (JPEG alone). */
  orientation?: number
}

/** A drawn picture whose four corners differ, so that a turned or mirrored copy can be told. */
export const drawnPicture = ({ width = 320, height = 240, seed = 1 }: PictureSpec): Sharp => {
  const hue = (seed * 47) % 360
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 100 100" preserveAspectRatio="none">
    <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="hsl(${hue},70%,62%)"/><stop offset="1" stop-color="hsl(${hue + 60},65%,30%)"/></linearGradient></defs>
    <rect width="100" height="100" fill="url(#sky)"/>
    <circle cx="${20 + ((seed * 13) % 60)}" cy="30" r="12" fill="hsl(${hue + 180},80%,75%)"/>
    <path d="M0 100 V70 Q25 ${45 + (seed % 20)} 50 72 T100 60 V100Z" fill="hsl(${hue + 120},45%,25%)"/>
    <rect width="8" height="8" fill="#f00"/><rect x="92" width="8" height="8" fill="#0f0"/><rect y="92" width="8" height="8" fill="#00f"/>
  </svg>`
  return sharp(Buffer.from(svg)).flatten({ background: '#000' })
}

/** Writes a picture in the format of the path's extension: jpg, png, webp, gif, tiff, avif or heic. */
export const makePicture = async (path: string, spec: PictureSpec = {}): Promise<string> => {
  await mkdir(dirname(path), { recursive: true })
  const { width = 320, height = 240, orientation } = spec
  const picture = drawnPicture(spec)
  if (extname(path).toLowerCase() === '.heic') {
    await writeHeic(path, await picture.resize(width, height, { fit: 'fill' }).removeAlpha().raw().toBuffer(), { width, height })
  } else {
    const turned = orientation === undefined ? picture : picture.withMetadata({ orientation })
    // The least effort: what is asked of it is a picture, not a small file.
    await (extname(path).toLowerCase() === '.avif' ? turned.avif({ effort: 0 }) : turned).toFile(path)
  }
  return path
}

interface ClipSpec {
  seconds?: number
  width?: number
  height?: number
  /** Pictures a second, 24 unless told. Few are enough for what is played in a browser: each is drawn by the processor. */
  rate?: number
  /** A video source of ffmpeg. */
  source?: 'testsrc2' | 'mandelbrot' | 'gradients' | 'black'
  /** Black pictures before the source starts, in seconds. */
  blackSeconds?: number
  videoCodec?: 'libx264' | 'libx265' | 'libvpx-vp9' | 'mpeg4'
  audioCodec?: 'aac' | 'ac3' | 'libopus' | 'libmp3lame' | 'none'
  /** The path of an .srt file to put into a Matroska clip as a stream. */
  subtitles?: string
}

/** The same arguments give the same bytes: one thread, no times and no encoder names in the file. */
export const BIT_EXACT = ['-threads', '1', '-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact', '-map_metadata', '-1']

const RATE = 24

const videoSource = ({ source = 'testsrc2', width = 320, height = 180, rate = RATE }: ClipSpec): string => {
  if (source === 'black') return `color=black:size=${width}x${height}:rate=${rate}`
  const extra = source === 'gradients' ? ':seed=7:speed=0.05' : ''
  return `${source}=size=${width}x${height}:rate=${rate}${extra}`
}

const isMp4 = (path: string): boolean => /\.(mp4|m4v|mov)$/i.test(path)

/** Ends a command of ffmpeg that writes this file. */
const intoFile = (path: string): string[] => [...(isMp4(path) ? ['-movflags', '+faststart'] : []), ...BIT_EXACT, '-y', path]

const PIECE_SECONDS = 10

/** A long clip is a piece of ten seconds again and again, where that comes out even: to encode it whole takes seconds of processor time. */
const isOfPieces = ({ seconds = 0, blackSeconds, subtitles }: ClipSpec): boolean =>
  seconds > PIECE_SECONDS && seconds % PIECE_SECONDS === 0 && !blackSeconds && subtitles === undefined

const makeOfPieces = async (path: string, { seconds = 0, ...spec }: ClipSpec): Promise<string> => {
  await using folder = await temporaryFolder('piece')
  const piece = await makeClip(join(folder.path, `piece${extname(path)}`), { ...spec, seconds: PIECE_SECONDS })
  const again = String(seconds / PIECE_SECONDS - 1)
  await runProgram(['ffmpeg', '-nostdin', '-loglevel', 'error', '-stream_loop', again, '-i', piece, '-c', 'copy', ...intoFile(path)])
  return path
}

/** Writes a clip with a real ffmpeg, in the container of the path's extension. */
export const makeClip = async (path: string, spec: ClipSpec = {}): Promise<string> => {
  await mkdir(dirname(path), { recursive: true })
  if (isOfPieces(spec)) return makeOfPieces(path, spec)
  const { seconds = 2, blackSeconds = 0, videoCodec = 'libx264', audioCodec = 'aac', rate = RATE, subtitles } = spec
  const streams = [
    ['-f', 'lavfi', '-i', videoSource(spec)],
    audioCodec === 'none' ? [] : ['-f', 'lavfi', '-i', 'sine=frequency=330:sample_rate=44100'],
  ]
  const speed =
    videoCodec === 'libvpx-vp9' ? ['-deadline', 'realtime', '-cpu-used', '8'] : videoCodec === 'mpeg4' ? [] : ['-preset', 'ultrafast']
  // biome-ignore format: one option and its value a pair
  await runProgram([
    'ffmpeg', '-nostdin', '-loglevel', 'error', ...streams.flat(), ...(subtitles ? ['-i', subtitles, '-c:s', 'srt'] : []),
    '-t', String(seconds), ...(blackSeconds > 0 ? ['-vf', `fade=in:st=${blackSeconds}:d=0.04`] : []),
    '-c:v', videoCodec, ...speed, '-pix_fmt', 'yuv420p', '-g', String(rate), ...(audioCodec === 'none' ? [] : ['-c:a', audioCodec, '-b:a', '48k']),
    ...intoFile(path),
  ])
  return path
}

/** An entry of an archive: text or bytes, or bytes with a mode, or a link. */
type ArchiveEntry = string | Uint8Array | { content: string | Uint8Array; mode?: number } | { link: string }

const SYMLINK_MODE = 0o120777
const FILE_MODE = 0o100644
const UNIX = 3

const zipEntry = (entry: ArchiveEntry): [Uint8Array, ZipAttributes & { level: 0 }] => {
  const isPlain = typeof entry === 'string' || entry instanceof Uint8Array
  const content = isPlain ? entry : 'link' in entry ? entry.link : entry.content
  const mode = isPlain ? FILE_MODE : 'link' in entry ? SYMLINK_MODE : 0o100000 | (entry.mode ?? 0o644)
  return [
    typeof content === 'string' ? Buffer.from(content) : content,
    { os: UNIX, attrs: (mode << 16) >>> 0, mtime: new Date(2020, 0, 1), level: 0 },
  ]
}

/** Writes a zip (or cbz) with its entries stored in this order. */
export const makeZip = async (path: string, entries: Record<string, ArchiveEntry>): Promise<string> => {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, zipSync(Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, zipEntry(entry)]))))
  return path
}

/** Writes a tar.gz of a tree, with its modes and links. */
export const makeTarGz = async (path: string, tree: Tree): Promise<string> => {
  await mkdir(dirname(path), { recursive: true })
  await using folder = await temporaryFolder('tar')
  makeTree(folder.path, tree)
  await runProgram([
    'tar',
    '--create',
    '--gzip',
    '--sort=name',
    '--mtime=@1577836800',
    '--owner=0',
    '--group=0',
    '-f',
    path,
    '-C',
    folder.path,
    '.',
  ])
  return path
}

/** `count` drawn pages by name, `001.jpg` onwards, for a cbz or an image folder. */
export const drawnPages = async (count: number, spec: PictureSpec = {}): Promise<Record<string, Buffer>> => {
  const pages: Record<string, Buffer> = {}
  for (let number = 1; number <= count; number += 1) {
    const picture = drawnPicture({ width: 300, height: 420, ...spec, seed: (spec.seed ?? 1) * 100 + number })
    pages[`${String(number).padStart(3, '0')}.jpg`] = await picture.jpeg({ quality: 70 }).toBuffer()
  }
  return pages
}

/** A line of text on a white page, for those who read it. */
export const writtenPage = (words: string): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="300"><rect width="900" height="300" fill="#fff"/>
        <text x="40" y="170" font-family="DejaVu Sans" font-size="56" fill="#111">${words}</text></svg>`,
    ),
  )
    .png()
    .toBuffer()
