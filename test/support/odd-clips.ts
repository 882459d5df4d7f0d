import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runProgram } from './program.ts'

/** Small videos of every kind that players stumble over, made by a real ffmpeg. */

export const CLIP_SECONDS = 8

const SOURCES = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=24', '-f', 'lavfi', '-i', 'sine=frequency=330:sample_rate=48000']
const X264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '48', '-pix_fmt', 'yuv420p']
const TEN_BITS = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le']
const AAC = ['-c:a', 'aac', '-b:a', '64k']

/** By file name: what ffmpeg is told after its sources. */
const CLIPS: Readonly<Record<string, string[]>> = {
  'h264.mp4': [...X264, ...AAC, '-movflags', '+faststart'],
  'h264.mkv': [...X264, ...AAC],
  'ten-bit.mkv': [...TEN_BITS, ...AAC],
  'hevc.mp4': [
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-x265-params',
    'log-level=error',
    '-pix_fmt',
    'yuv420p',
    '-tag:v',
    'hvc1',
    ...AAC,
  ],
  'vp9.webm': ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-pix_fmt', 'yuv420p', '-c:a', 'libopus', '-b:a', '48k'],
  'av1.mp4': ['-c:v', 'libsvtav1', '-preset', '12', '-pix_fmt', 'yuv420p', ...AAC],
  'mpeg4.avi': ['-c:v', 'mpeg4', '-q:v', '6', '-c:a', 'libmp3lame', '-b:a', '64k'],
  // One key frame, at the very start; and no index.
  'sparse.mkv': ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '9999', '-pix_fmt', 'yuv420p', ...AAC],
  'h264.ts': [...X264, ...AAC],
  'ac3.mkv': [...X264, '-c:a', 'ac3', '-b:a', '128k'],
  'pq.mkv': [...TEN_BITS, '-color_trc', 'smpte2084', '-color_primaries', 'bt2020', '-colorspace', 'bt2020nc', ...AAC],
  // It leaves unsaid what it is besides.
  'hlg.mkv': [...TEN_BITS, '-color_trc', 'arib-std-b67', ...AAC],
}
type ClipName = keyof typeof CLIPS

const ffmpeg = (args: readonly string[]): Promise<unknown> => runProgram(['ffmpeg', '-nostdin', '-loglevel', 'error', ...args])

/** Writes one of the clips into a folder. */
export const makeOddClip = async (folder: string, name: ClipName, seconds = CLIP_SECONDS): Promise<string> => {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true })
  await ffmpeg([...SOURCES, '-t', String(seconds), ...(CLIPS[name] ?? []), '-y', path])
  return path
}

const SUBRIP = '1\n00:00:01,000 --> 00:00:02,000\nGuten Tag\n\n2\n00:00:03,000 --> 00:00:04,000\n{\\an8}<i>Oben</i>\n'
const SCRIPT = `[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize, Alignment
Style: Default,Arial,20,2

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\an8}Bonjour, {\\i1}monde{\\i0}
`

/** Two sound tracks, the second one the default, and two tracks of subtitles inside. */
export const makeMultiTrackClip = async (path: string, seconds = CLIP_SECONDS): Promise<string> => {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.srt`, SUBRIP)
  await writeFile(`${path}.ass`, SCRIPT)
  // biome-ignore format: one option and its value a pair
  await ffmpeg([
    ...SOURCES, '-f', 'lavfi', '-i', 'sine=frequency=880:sample_rate=48000', '-i', `${path}.srt`, '-i', `${path}.ass`,
    '-map', '0:v', '-map', '1:a', '-map', '2:a', '-map', '3:s', '-map', '4:s', '-t', String(seconds), ...X264, ...AAC, '-c:s', 'copy',
    '-metadata:s:a:0', 'language=ger', '-metadata:s:a:1', 'language=eng', '-metadata:s:a:1', 'title=Commentary',
    '-disposition:a:0', '0', '-disposition:a:1', 'default',
    '-metadata:s:s:0', 'language=ger', '-disposition:s:0', 'forced', '-metadata:s:s:1', 'language=fre', '-y', path,
  ])
  await Promise.all([Bun.file(`${path}.srt`).delete(), Bun.file(`${path}.ass`).delete()])
  return path
}

interface Sound {
  /** ISO 639-2. */
  language: string
  /** ffmpeg's name of what the track is besides sound: `comment`, `visual_impaired`. */
  disposition?: string
}

/** One picture with a sound track for each of these; the first is the default. */
export const makeDubbedClip = async (path: string, sounds: readonly Sound[], seconds = CLIP_SECONDS): Promise<string> => {
  await mkdir(dirname(path), { recursive: true })
  const tracks = sounds.flatMap(({ language, disposition }, place) => [
    ...['-map', '1:a', `-metadata:s:a:${place}`, `language=${language}`],
    ...[`-disposition:a:${place}`, disposition ?? (place === 0 ? 'default' : '0')],
  ])
  await ffmpeg([...SOURCES, '-map', '0:v', ...tracks, '-t', String(seconds), ...X264, ...AAC, '-y', path])
  return path
}

/** One empty picture of a Blu-ray's subtitles: a composition without objects, and the end of its set, each at one second. */
const PICTURE_SUBTITLES = Buffer.from(
  ['5047 00015f90 00015f90 16 000b 0140 00b4 10 0000 80 00 00 00', '5047 00015f90 00015f90 80 0000'].join('').replaceAll(' ', ''),
  'hex',
)

/** A Matroska file whose only subtitles are pictures. */
export const makePictureSubtitledClip = async (path: string, seconds = CLIP_SECONDS): Promise<string> => {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.sup`, PICTURE_SUBTITLES)
  const maps = ['-map', '0:v', '-map', '1:a', '-map', '2:s', '-t', String(seconds)]
  await ffmpeg([...SOURCES, '-f', 'sup', '-i', `${path}.sup`, ...maps, ...X264, ...AAC, '-c:s', 'copy', '-y', path])
  await Bun.file(`${path}.sup`).delete()
  return path
}

/** Gives a video chapters, each from its second to that of the next one. */
export const addChapters = async (path: string, chapters: readonly (readonly [second: number, title: string])[], seconds: number) => {
  const texts = chapters.map(([start, title], place) => {
    const end = chapters[place + 1]?.[0] ?? seconds
    return `[CHAPTER]\nTIMEBASE=1/1\nSTART=${start}\nEND=${end}\ntitle=${title}\n`
  })
  const extension = path.slice(path.lastIndexOf('.'))
  await writeFile(`${path}.txt`, `;FFMETADATA1\n${texts.join('')}`)
  await ffmpeg(['-i', path, '-i', `${path}.txt`, '-map', '0', '-map_metadata', '1', '-c', 'copy', '-y', `${path}.out${extension}`])
  await rename(`${path}.out${extension}`, path)
  await Bun.file(`${path}.txt`).delete()
}
