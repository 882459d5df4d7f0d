import type { Sharp } from 'sharp'
import sharp from 'sharp'
import { drawnScene, photograph, randomFrom, type SceneKind, type Size, seedOf } from './scenes.ts'

/** Posters and covers: a scene with its title set in type. */

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A family with the mean width of its capitals, in ems. */
const FACES = [
  { family: 'DejaVu Serif', weight: 700, em: 0.8, spacing: 0.04 },
  { family: 'DejaVu Sans Condensed', weight: 700, em: 0.66, spacing: 0.02 },
  { family: 'Noto Serif CJK JP', weight: 700, em: 0.68, spacing: 0.08 },
  { family: 'Noto Sans CJK JP', weight: 700, em: 0.64, spacing: 0.14 },
  { family: 'DejaVu Sans', weight: 200, em: 0.7, spacing: 0.2 },
] as const

const wrapWords = (text: string, lineLength: number): string[] => {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && `${last} ${word}`.length <= lineLength) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

interface TitleBlock {
  title: string
  /** A line above the title, and small print below it. */
  above?: string
  below?: string
  seed: number
}

const AT_TOP = 0.09

/** The title as an overlay of the picture's size, with a shade behind it so that it reads over anything. */
const titleOverlay = ({ width, height }: Size, { title, above = '', below = '', seed }: TitleBlock): Buffer => {
  const random = randomFrom(seed + 5)
  const face = FACES[Math.floor(random() * FACES.length)] ?? FACES[0]
  const lines = wrapWords(title.toUpperCase(), 11)
  const longest = Math.max(...lines.map((line) => line.length), 5)
  const size = Math.min((width * 0.84) / (longest * (face.em + face.spacing)), width * 0.17)
  const isAtTop = random() < 0.3
  const blockHeight = size * 1.12 * lines.length
  const top = isAtTop ? height * AT_TOP + size : height * 0.88 - blockHeight + size * 0.7
  const font = `font-family="${face.family}" text-anchor="middle" fill="#fff"`
  const titleLines = lines.map(
    (line, index) =>
      `<text x="50%" y="${(top + index * size * 1.12).toFixed(1)}" ${font} font-weight="${face.weight}" font-size="${size.toFixed(1)}" letter-spacing="${(face.spacing * size).toFixed(1)}">${escapeXml(line)}</text>`,
  )
  const small = width * 0.027
  const shade = isAtTop ? 'x1="0" y1="0" x2="0" y2="1"' : 'x1="0" y1="1" x2="0" y2="0"'
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="s" ${shade}><stop stop-color="#000" stop-opacity=".72"/><stop offset=".55" stop-color="#000" stop-opacity="0"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#s)"/>${titleLines.join('')}
    <text x="50%" y="${(top - size * 1.05).toFixed(1)}" ${font} font-size="${small.toFixed(1)}" letter-spacing="${(small * 0.35).toFixed(1)}" opacity=".85">${escapeXml(above.toUpperCase())}</text>
    <text x="50%" y="${(height * 0.955).toFixed(1)}" ${font} font-size="${(small * 0.9).toFixed(1)}" letter-spacing="${(small * 0.2).toFixed(1)}" opacity=".75">${escapeXml(below.toUpperCase())}</text></svg>`)
}

const FIRST_NAMES = ['Ida', 'Marek', 'Sefa', 'Jonas', 'Noor', 'Elif', 'Tomás', 'Yuki', 'Greta', 'Pavel', 'Amara', 'Lior']
const LAST_NAMES = ['Halloran', 'Vestergaard', 'Okafor', 'Lindqvist', 'Marchetti', 'Sato', 'Brandão', 'Kowal', 'Achterberg', 'Tal']

/** An invented person. */
export const personName = (random: () => number): string =>
  `${FIRST_NAMES[Math.floor(random() * FIRST_NAMES.length)]} ${LAST_NAMES[Math.floor(random() * LAST_NAMES.length)]}`

interface PosterSpec extends Size {
  title: string
  scene: SceneKind
  above?: string
  below?: string
}

/** How many posters stand on a photograph, where there are any. */
const PHOTOGRAPHED_SHARE = 0.2

/** A poster or cover; the title alone decides its colours and type. */
export const poster = async ({ title, scene, above, below, width, height }: PosterSpec): Promise<Sharp> => {
  const seed = seedOf(title)
  const isPhotographed = randomFrom(seed + 9)() < PHOTOGRAPHED_SHARE
  const ground = await (isPhotographed
    ? await photograph(scene, seed, { width, height })
    : drawnScene(scene, seed, { width, height })
  ).toBuffer()
  return sharp(ground).composite([{ input: titleOverlay({ width, height }, { title, above, below, seed }) }])
}
