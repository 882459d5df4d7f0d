/**
 * Run by `svg.ts`: reads a drawing from its standard input, draws it within the width and the height that its arguments are,
 * and writes four numbers of 32 bits, the drawing's own width and height and those of what was drawn, then its pixels (RGBA).
 */

import { errorMessage } from '../domain/thrown-error.ts'
import { loadSharp, OPTIONS } from './sharp.ts'

/** librsvg's unit: at 72 dots an inch one unit is one pixel. */
const DENSITY = 72
/** sharp takes no more. */
const MAX_DENSITY = 100_000

const [, , maxWidth, maxHeight] = process.argv
try {
  const sharp = await loadSharp()
  // From bytes and never from a file: then librsvg has no folder to look for other files in.
  const bytes = await Bun.stdin.bytes()
  const { width, height } = await sharp(bytes, OPTIONS).metadata()
  const scale = Math.min(Number(maxWidth) / width, Number(maxHeight) / height)
  const density = Math.min(MAX_DENSITY, Math.max(1, DENSITY * scale))
  const { data, info } = await sharp(bytes, { ...OPTIONS, density })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const sizes = Uint32Array.of(width, height, info.width, info.height)
  await Bun.write(Bun.stdout, Buffer.concat([Buffer.from(sizes.buffer), data]))
} catch (error) {
  process.stderr.write(errorMessage(error))
  process.exitCode = 1
}
