import { rm, writeFile } from 'node:fs/promises'
import type { Sharp } from 'sharp'
import { runProgram } from '../program.ts'
import { BIT_EXACT } from '../real-media.ts'
import { LINES } from './catalogue.ts'
import { randomFrom } from './scenes.ts'

/** Films of a few seconds: a slow pan over a picture, with a chord that swells, and subtitles. */

interface ClipSpec {
  seconds: number
  width: number
  height: number
  seed: number
}

/** Frequencies of a few quiet chords, in hertz. */
const CHORDS = [
  [220, 277.2, 329.6],
  [196, 246.9, 293.7],
  [174.6, 220, 261.6],
  [164.8, 207.7, 246.9],
] as const

const RATE = 24
/** How much larger the picture is than the frame that pans over it. */
const PAN_SHARE = 1.25

/** Writes a pan over the picture as H.264 and AAC, in the container of the path's extension. */
export const panClip = async (path: string, picture: Sharp, { seconds, width, height, seed }: ClipSpec): Promise<void> => {
  const random = randomFrom(seed)
  const still = `${path}.still.jpg`
  await picture
    .resize(Math.ceil(width * PAN_SHARE), Math.ceil(height * PAN_SHARE), { fit: 'cover' })
    .jpeg({ quality: 90 })
    .toFile(still)
  const chord = CHORDS[Math.floor(random() * CHORDS.length)] ?? CHORDS[0]
  const voices = chord.map((frequency) => `sin(2*PI*${frequency}*t)`).join('+')
  const isReversed = random() < 0.5
  const travel = (side: string): string => `(in_${side}-out_${side})*${isReversed ? `(1-t/${seconds})` : `t/${seconds}`}`
  // biome-ignore format: one option and its value a pair
  await runProgram([
    'ffmpeg', '-nostdin', '-loglevel', 'error',
    '-loop', '1', '-framerate', String(RATE), '-i', still,
    '-f', 'lavfi', '-i', `aevalsrc='0.08*(${voices})*(0.6+0.4*sin(2*PI*t/5))':s=44100`,
    '-t', String(seconds),
    '-vf', `crop=${width}:${height}:x='${travel('w')}':y='${travel('h')}',fade=out:st=${seconds - 0.6}:d=0.6`,
    '-af', `afade=in:d=0.5,afade=out:st=${seconds - 0.8}:d=0.8`,
    '-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'stillimage', '-crf', '27', '-pix_fmt', 'yuv420p', '-g', String(RATE),
    '-c:a', 'aac', '-b:a', '64k', ...(path.endsWith('.mp4') ? ['-movflags', '+faststart'] : []), ...BIT_EXACT, '-y', path,
  ])
  await rm(still)
}

const SECONDS_A_LINE = 2

const timestamp = (seconds: number): string =>
  `00:00:${String(Math.floor(seconds)).padStart(2, '0')},${String(Math.round((seconds % 1) * 1000)).padStart(3, '0')}`

/** Subtitles in SubRip form for a clip of that many seconds. */
const subRip = (language: keyof typeof LINES, seconds: number): string =>
  LINES[language]
    .slice(0, Math.floor(seconds / SECONDS_A_LINE))
    .map(
      (line, index) =>
        `${index + 1}\n${timestamp(index * SECONDS_A_LINE + 0.2)} --> ${timestamp((index + 1) * SECONDS_A_LINE - 0.1)}\n${line}\n`,
    )
    .join('\n')

/** Writes `<base>.en.srt` and `<base>.de.srt` beside a film. */
export const writeSubtitles = async (base: string, seconds: number): Promise<void> => {
  for (const language of ['en', 'de'] as const) await writeFile(`${base}.${language}.srt`, subRip(language, seconds))
}
