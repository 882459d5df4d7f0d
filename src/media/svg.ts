/**
 * Drawings, each in a process of its own: librsvg draws in one call, and of a file made to keep it busy for days nothing but the
 * end of the process ends it.
 */

import { join } from 'node:path'
import { DecodeError } from './decode-error.ts'
import { SNIFF_BYTES, sniffPicture } from './picture-format.ts'
import { runProgram, withLimits } from './program.ts'

/** Large maps take one or two. */
const MAX_SECONDS = 10
/** Where much else goes on. */
const TIMEOUT_MS = 45_000
/** What can be written to: some 70 MiB without the drawing. */
const MAX_MEMORY_KIB = 1024 * 1024
const HEADER_BYTES = 16
const CHANNELS = 4
/** Fonts, and what is known of them, lie in the home folder too. Of an engine that dies its makers need not be told. */
const ENVIRONMENT = { HOME: process.env.HOME, BUN_ENABLE_CRASH_REPORTING: '0' }

interface Limits {
  maxWidth: number
  maxHeight: number
  /** Of processor time. */
  maxSeconds?: number
}

interface Drawing {
  /** RGBA, 8 bits a channel; as large as fits. */
  drawn: { data: Uint8Array; width: number; height: number }
  /** Pixels at 72 dots an inch. */
  width: number
  height: number
}

/** Throws `DecodeError`, and `MediaError` where the process was ended from outside. */
export const drawSvg = async (bytes: Uint8Array, { maxWidth, maxHeight, maxSeconds = MAX_SECONDS }: Limits): Promise<Drawing> => {
  const program = [process.execPath, join(import.meta.dir, 'svg-process.ts'), String(maxWidth), String(maxHeight)]
  const command = withLimits(program, { memory: 'data', memoryKib: MAX_MEMORY_KIB, seconds: maxSeconds })
  const maxBytes = HEADER_BYTES + CHANNELS * maxWidth * maxHeight
  const { output, log, exitCode, signalCode } = await runProgram(command, {
    stdin: bytes,
    maxBytes,
    timeoutMs: TIMEOUT_MS,
    env: ENVIRONMENT,
  })
  // Of too little memory librsvg dies, and so does the engine.
  if (signalCode !== null) throw new DecodeError('too_large', `The drawing takes too much time or memory (${signalCode}).`)
  if (exitCode !== 0) throw new Error(log)
  const header = new DataView(output.buffer, output.byteOffset, HEADER_BYTES)
  const [width, height, drawnWidth, drawnHeight] = [
    header.getUint32(0, true),
    header.getUint32(4, true),
    header.getUint32(8, true),
    header.getUint32(12, true),
  ]
  return { drawn: { data: output.subarray(HEADER_BYTES), width: drawnWidth, height: drawnHeight }, width, height }
}

/** Pixels at 72 dots an inch (CSS Values and Units, 6.2). */
const UNITS: Readonly<Record<string, number>> = { '': 1, px: 1, pt: 1, pc: 12, in: 72, cm: 72 / 2.54, mm: 72 / 25.4 }

const lengthIn = (element: string, attribute: string): number | undefined => {
  const [, value, unit = ''] = new RegExp(`\\s${attribute}\\s*=\\s*["']\\s*([\\d.]+)([a-z]*)\\s*["']`).exec(element) ?? []
  const length = Math.round(Number(value) * (UNITS[unit] ?? Number.NaN))
  return length > 0 ? length : undefined
}

/** By what its first element says in so many words: to draw all pages of a volume would take minutes. */
export const sizeOfSvg = (head: Uint8Array): { width: number; height: number } | undefined => {
  if (sniffPicture(head) !== 'svg') return undefined
  const [element = ''] = /<(?:svg:)?svg\s[^>]*>/.exec(Buffer.from(head.subarray(0, SNIFF_BYTES)).toString('latin1')) ?? []
  const [width, height] = [lengthIn(element, 'width'), lengthIn(element, 'height')]
  return width && height ? { width, height } : undefined
}
