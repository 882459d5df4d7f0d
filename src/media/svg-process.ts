/**
 * Run by `svg.ts`: reads a drawing from its standard input, draws it within the width and the height that its arguments are,
 * and writes four numbers of 32 bits, the drawing's own width and height and those of what was drawn, then its pixels (RGBA).
 */

import { errorMessage } from '../domain/thrown-error.ts'
import { loadSharp, OPTIONS } from './sharp.ts'

const [, , maxWidth, maxHeight] = process.argv
try {
  const sharp = await loadSharp()
  // From bytes and never from a file: then librsvg has no folder to look for other files in.
  const bytes = await Bun.stdin.bytes()
  const { width, height } = await sharp(bytes, OPTIONS).metadata()
  const { data, info } = await sharp(bytes, OPTIONS)
    // It is drawn in that size at once, whatever units it is given in, not drawn and enlarged.
    .resize(Number(maxWidth), Number(maxHeight), { fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const sizes = Uint32Array.of(width, height, info.width, info.height)
  await Bun.write(Bun.stdout, Buffer.concat([Buffer.from(sizes.buffer), data]))
} catch (error) {
  process.stderr.write(errorMessage(error))
  process.exitCode = 1
}
