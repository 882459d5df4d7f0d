/** `bun run icons`: the pictures that installed apps are known by, from the drawing in `public/icon.svg`. */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

const PUBLIC = join(import.meta.dir, 'public')
const DENSITY = 600
/** Systems cut masks out of an icon; only the middle four fifths are sure to be seen (W3C, Web App Manifest). */
const SAFE_SHARE = 0.8

const drawing = await Bun.file(join(PUBLIC, 'icon.svg')).text()

/** The same drawing with its ground up to the edges, for those who cut corners themselves. */
const bleeding = (share: number): string => {
  const edge = (64 * (1 - share)) / 2
  const [open = '', ground = '', ...marks] = drawing.split('\n')
  const closing = marks.lastIndexOf('</svg>')
  const inner = marks.slice(0, closing).join('\n')
  return `${open}\n${ground.replace(/ rx="\d+"/, '')}\n<g transform="translate(${edge} ${edge}) scale(${share})">\n${inner}\n</g>\n</svg>`
}

const draw = (svg: string, name: string, size: number) =>
  sharp(Buffer.from(svg), { density: DENSITY })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: true })
    .toFile(join(PUBLIC, 'icons', name))

await mkdir(join(PUBLIC, 'icons'), { recursive: true })
await Promise.all([
  draw(drawing, 'icon-192.png', 192),
  draw(drawing, 'icon-512.png', 512),
  draw(bleeding(SAFE_SHARE), 'maskable-512.png', 512),
  draw(bleeding(1), 'apple-touch-180.png', 180),
])
