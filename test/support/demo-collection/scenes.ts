import { existsSync } from 'node:fs'
import sharp, { type Sharp } from 'sharp'

/** Backgrounds of the demo's posters, covers, photographs and clips: drawn landscapes, and Debian's wallpapers where they are installed. */

export const SCENE_KINDS = ['mountains', 'sea', 'city', 'forest', 'space', 'dunes', 'shapes'] as const
export type SceneKind = (typeof SCENE_KINDS)[number]

export interface Size {
  width: number
  height: number
}

/** The same seed gives the same numbers (mulberry32). */
export const randomFrom = (seed: number): (() => number) => {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A stable number for a text. */
export const seedOf = (text: string): number =>
  [...text].reduce((sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) >>> 0, 7)

type Random = () => number

/** Two-colour moods of a sky, top and bottom, and the colour of the nearest layer. */
const MOODS: readonly (readonly [sky: string, glow: string, near: string])[] = [
  ['#0f2027', '#e96443', '#16121f'],
  ['#1f4068', '#f6c667', '#0b1a2b'],
  ['#41295a', '#f08a5d', '#190f25'],
  ['#134e5e', '#c8e6a0', '#07261f'],
  ['#2c3e50', '#fd746c', '#141a24'],
  ['#0b486b', '#f5d6a4', '#052033'],
  ['#4b134f', '#f7b267', '#1c0821'],
  ['#283c86', '#9fe8c9', '#0c1433'],
  ['#355c7d', '#f8b195', '#1d1d35'],
  ['#603813', '#f3c98b', '#2a1404'],
  ['#16222a', '#7fb7be', '#0a1014'],
  ['#7b1e3a', '#f4d35e', '#2b0a18'],
]

/** One colour between two, `share` 0 giving the first. */
const mix = (from: string, to: string, share: number): string => {
  const channel = (color: string, at: number): number => Number.parseInt(color.slice(at, at + 2), 16)
  const mixed = [1, 3, 5].map((at) => Math.round(channel(from, at) + (channel(to, at) - channel(from, at)) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

/** A ridge across the whole width in a 1000 x 1000 space, by midpoints that wander less and less. */
const ridge = (random: Random, height: number, roughness: number): string => {
  let points = [height, height + (random() - 0.5) * roughness * 100]
  for (let spread = roughness * 120; points.length < 65; spread *= 0.52) {
    points = points.flatMap((value, index) => {
      const next = points[index + 1]
      return next === undefined ? [value] : [value, (value + next) / 2 + (random() - 0.5) * spread]
    })
  }
  const line = points.map((value, index) => `L${((index * 1000) / (points.length - 1)).toFixed(1)} ${value.toFixed(1)}`).join('')
  return `M0 1000${line}L1000 1000Z`
}

const disc = (random: Random, color: string): string =>
  `<circle cx="${(200 + random() * 600).toFixed(0)}" cy="${(220 + random() * 230).toFixed(0)}" r="${(50 + random() * 60).toFixed(0)}" fill="${color}" opacity=".9"/>`

const stars = (random: Random, count: number): string =>
  Array.from(
    { length: count },
    () =>
      `<circle cx="${(random() * 1000).toFixed(0)}" cy="${(random() * 1000).toFixed(0)}" r="${(0.5 + random() * 1.8).toFixed(1)}" fill="#fff" opacity="${random().toFixed(2)}"/>`,
  ).join('')

const layers = (count: number, draw: (share: number, index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index / (count - 1), index)).join('')

interface Palette {
  sky: string
  glow: string
  near: string
}

const tree = (random: Random, { base, size, color, index }: { base: number; size: number; color: string; index: number }): string => {
  const [x, height] = [index * 48 + random() * 40 - 20, size * (0.6 + random() * 0.8)]
  const half = height * 0.22
  return `<path fill="${color}" d="M${x} ${base - height}L${x + half} ${base + 40}H${x - half}Z"/>`
}

const trees = (random: Random, base: number, size: number, color: string): string => {
  const row = Array.from({ length: 22 }, (_, index) => tree(random, { base, size, color, index })).join('')
  return `${row}<rect y="${base + 10}" width="1000" height="${1000 - base}" fill="${color}"/>`
}

const towers = (random: Random, base: number, color: string, light: string): string => {
  let drawn = ''
  for (let x = -20; x < 1000; ) {
    const [width, height] = [40 + random() * 70, 120 + random() * 330]
    const top = base - height
    drawn += `<rect x="${x.toFixed(0)}" y="${top.toFixed(0)}" width="${width.toFixed(0)}" height="${(1000 - top).toFixed(0)}" fill="${color}"/>`
    for (let y = top + 16; y < 960; y += 24) {
      for (let column = x + 8; column < x + width - 10; column += 16) {
        if (random() < 0.28)
          drawn += `<rect x="${column.toFixed(0)}" y="${y.toFixed(0)}" width="7" height="11" fill="${light}" opacity="${(0.4 + random() * 0.6).toFixed(2)}"/>`
      }
    }
    x += width + random() * 12
  }
  return drawn
}

const drawScene: Record<SceneKind, (random: Random, palette: Palette) => string> = {
  mountains: (random, { glow, near }) =>
    disc(random, mix(glow, '#ffffff', 0.6)) +
    layers(
      5,
      (share) => `<path fill="${mix(glow, near, 0.25 + share * 0.75)}" d="${ridge(random, 480 + share * 360, 3.4 - share * 1.8)}"/>`,
    ),
  dunes: (random, { glow, near }) =>
    disc(random, mix(glow, '#ffffff', 0.7)) +
    layers(
      4,
      (share) =>
        `<path fill="${mix(glow, near, 0.2 + share * 0.7)}" d="M0 1000V${(600 + share * 230 + random() * 60).toFixed(0)}C${(200 + random() * 200).toFixed(0)} ${(480 + share * 220).toFixed(0)} ${(500 + random() * 200).toFixed(0)} ${(800 + share * 120).toFixed(0)} 1000 ${(560 + share * 240 + random() * 70).toFixed(0)}V1000Z"/>`,
    ),
  sea: (random, { sky, glow, near }) =>
    disc(random, mix(glow, '#ffffff', 0.75)) +
    `<rect y="560" width="1000" height="440" fill="${mix(glow, sky, 0.65)}"/>` +
    layers(16, (share) => {
      const [y, reach] = [570 + share * 400, 60 + share * 320]
      return `<path d="M${(500 - reach + random() * 120).toFixed(0)} ${y.toFixed(0)}h${(reach * (0.7 + random())).toFixed(0)}" stroke="${mix(glow, '#ffffff', 0.5)}" stroke-width="${(2 + share * 8).toFixed(1)}" opacity="${(0.55 - share * 0.35).toFixed(2)}"/>`
    }) +
    `<path fill="${near}" d="${ridge(random, 860, 2.2)}"/>`,
  forest: (random, { glow, near }) =>
    disc(random, mix(glow, '#ffffff', 0.5)) +
    layers(4, (share) => trees(random, 620 + share * 300, 260 + share * 260, mix(glow, near, 0.35 + share * 0.65))),
  city: (random, { glow, near }) =>
    disc(random, mix(glow, '#ffffff', 0.7)) +
    towers(random, 760, mix(glow, near, 0.6), mix(glow, '#ffffff', 0.3)) +
    towers(random, 940, near, glow),
  space: (random, { sky, glow, near }) => {
    const [x, y, radius] = [250 + random() * 500, 330 + random() * 260, 150 + random() * 130]
    const tilt = (random() * 50 - 25).toFixed(0)
    return `<rect width="1000" height="1000" fill="${mix(near, '#000000', 0.35)}" opacity=".82"/>${stars(random, 220)}
      <circle cx="${x}" cy="${y}" r="${radius}" fill="url(#glow)"/><circle cx="${x - radius * 0.35}" cy="${y - radius * 0.3}" r="${radius}" fill="${mix(sky, '#000000', 0.2)}" opacity=".18"/>
      <ellipse cx="${x}" cy="${y}" rx="${radius * 1.75}" ry="${radius * 0.32}" fill="none" stroke="${glow}" stroke-width="10" opacity=".75" transform="rotate(${tilt} ${x} ${y})"/>`
  },
  shapes: (random, { sky, glow, near }) => {
    const tones = [glow, mix(glow, '#ffffff', 0.55), mix(sky, glow, 0.5), near, mix(sky, '#ffffff', 0.2)]
    const tone = (): string => tones[Math.floor(random() * tones.length)] ?? glow
    return Array.from({ length: 5 }, (_, row) =>
      Array.from({ length: 5 }, (_, column) => {
        const [x, y, kind] = [column * 200, row * 200, Math.floor(random() * 4)]
        const ground = `<rect x="${x}" y="${y}" width="200" height="200" fill="${tone()}"/>`
        if (kind === 0) return `${ground}<circle cx="${x + 100}" cy="${y + 100}" r="${random() < 0.5 ? 100 : 60}" fill="${tone()}"/>`
        if (kind === 1) return `${ground}<path d="M${x} ${y + 200}A200 200 0 0 1 ${x + 200} ${y}V${y + 200}Z" fill="${tone()}"/>`
        return kind === 2 ? `${ground}<path d="M${x} ${y}h200l-200 200z" fill="${tone()}"/>` : ground
      }).join(''),
    ).join('')
  },
}

/** What a wide picture shows of the scene: the strip with the horizon. */
const WIDE_VIEW = '0 250 1000 562'
const TALL_VIEW = '0 0 1000 1000'

/** A drawn scene, filling the size. */
export const drawnScene = (kind: SceneKind, seed: number, { width, height }: Size): Sharp => {
  const random = randomFrom(seed)
  const [sky, glow, near] = MOODS[Math.floor(random() * MOODS.length)] ?? ['#000000', '#ffffff', '#000000']
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${width > height ? WIDE_VIEW : TALL_VIEW}" preserveAspectRatio="xMidYMid slice">
    <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${sky}"/><stop offset=".72" stop-color="${glow}"/></linearGradient>
    <radialGradient id="glow" cx=".35" cy=".3"><stop stop-color="${mix(glow, '#ffffff', 0.5)}"/><stop offset="1" stop-color="${mix(glow, near, 0.7)}"/></radialGradient></defs>
    <rect width="1000" height="1000" fill="url(#sky)"/>${drawScene[kind](random, { sky, glow, near })}</svg>`
  return sharp(Buffer.from(svg)).flatten({ background: sky }).resize(width, height, { fit: 'cover' })
}

const WALLPAPER_FOLDER = '/usr/share/backgrounds/mate'
/** Photographs of Debian's mate-backgrounds that suit a family album. */
const PHOTOGRAPHS = [
  'Aqua',
  'Dune',
  'FreshFlower',
  'Garden',
  'GreenMeadow',
  'LadyBird',
  'RainDrops',
  'Storm',
  'TwoWings',
  'YellowFlower',
  'Blinds',
]
  .map((name) => `${WALLPAPER_FOLDER}/nature/${name}.jpg`)
  .filter((path) => existsSync(path))

const CUT_WIDTH = 1600

const decoded = new Map<string, Promise<Buffer>>()
/** A photograph in a size that is quick to cut from; decoded once. */
const photographAt = (path: string): Promise<Buffer> => {
  const known = decoded.get(path) ?? sharp(path).resize(CUT_WIDTH).jpeg({ quality: 92 }).toBuffer()
  decoded.set(path, known)
  return known
}

/** A photograph's own cut and colours by the seed; a drawn scene where no wallpapers are installed. */
export const photograph = async (kind: SceneKind, seed: number, { width, height }: Size): Promise<Sharp> => {
  const random = randomFrom(seed)
  const path = PHOTOGRAPHS[Math.floor(random() * PHOTOGRAPHS.length)]
  if (path === undefined) return drawnScene(kind, seed, { width, height })
  const source = await photographAt(path)
  const { height: sourceHeight = 0 } = await sharp(source).metadata()
  const share = 0.4 + random() * 0.6
  const cut = { width: Math.floor(CUT_WIDTH * share), height: Math.floor(sourceHeight * share) }
  return sharp(source)
    .extract({ left: Math.floor((CUT_WIDTH - cut.width) * random()), top: Math.floor((sourceHeight - cut.height) * random()), ...cut })
    .flop(random() < 0.4)
    .modulate({ hue: Math.floor(random() * 40 - 20), saturation: 0.75 + random() * 0.4, brightness: 0.9 + random() * 0.15 })
    .resize(width, height, { fit: 'cover' })
}
