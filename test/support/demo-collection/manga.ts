import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { makeZip } from '../real-media.ts'
import { LINES, MANGA, type MangaTitle } from './catalogue.ts'
import { poster } from './posters.ts'
import type { Job, Scale } from './scale.ts'
import { drawnScene, randomFrom, SCENE_KINDS, type Size, seedOf } from './scenes.ts'

/** Volumes of drawn pages: panels of ink with balloons, as archives, as folders of images, and nested. */

interface Panel extends Size {
  left: number
  top: number
}

const GUTTER = 16

/** A page's panels: two to four rows, each of one to three panels. */
const panelsOf = (random: () => number, { width, height }: Size): Panel[] => {
  const rows = 2 + Math.floor(random() * 3)
  const rowHeight = Math.floor((height - GUTTER * (rows + 1)) / rows)
  return Array.from({ length: rows }, (_, row) => {
    const columns = 1 + Math.floor(random() * 2.6)
    const columnWidth = Math.floor((width - GUTTER * (columns + 1)) / columns)
    return Array.from({ length: columns }, (_column, column) => ({
      left: GUTTER + column * (columnWidth + GUTTER),
      top: GUTTER + row * (rowHeight + GUTTER),
      width: columnWidth,
      height: rowHeight,
    }))
  }).flat()
}

/** A face of few strokes: hair, eyes, mouth. */
const face = (random: () => number, { left, top, width, height }: Panel): string => {
  const radius = Math.min(width, height) * 0.24
  const [x, y] = [left + width * (0.25 + random() * 0.5), top + height * 0.66]
  const gaze = (random() - 0.5) * radius * 0.3
  const eye = (side: number): string =>
    `<ellipse cx="${x + side * radius * 0.38 + gaze}" cy="${y + radius * 0.1}" rx="${radius * 0.13}" ry="${radius * 0.22}" fill="#111"/>`
  return `<path d="M${x - radius * 1.4} ${top + height}Q${x} ${y + radius * 0.9} ${x + radius * 1.4} ${top + height}Z" fill="#fff" stroke="#111" stroke-width="3"/>
    <circle cx="${x}" cy="${y}" r="${radius}" fill="#fff" stroke="#111" stroke-width="3"/>${eye(-1)}${eye(1)}
    <path d="M${x - radius * 0.2} ${y + radius * 0.55}q${radius * 0.2} ${radius * (random() * 0.4 - 0.1)} ${radius * 0.4} 0" fill="none" stroke="#111" stroke-width="3"/>
    <path d="M${x - radius * 1.05} ${y + radius * 0.15}Q${x - radius} ${y - radius * 1.5} ${x} ${y - radius * 1.1}T${x + radius * 1.05} ${y + radius * 0.15}L${x + radius * 0.5} ${y - radius * 0.5}L${x + radius * 0.1} ${y - radius * 0.1}L${x - radius * 0.4} ${y - radius * 0.55}Z" fill="#111"/>`
}

const CJK = /[\u3040-\u30ff\u4e00-\u9fff]/

/** Lines of at most that many letters; Japanese breaks anywhere, other text between words. */
const brokenLines = (text: string, perLine: number): string[] =>
  (CJK.test(text) ? text.match(new RegExp(`.{1,${perLine}}`, 'gu')) : text.match(new RegExp(`.{1,${perLine}}(?:\\s|$)`, 'g'))) ?? [text]

const balloon = ({ left, top, width, height }: Panel, text: string, fontSize: number): string => {
  const letterWidth = fontSize * (CJK.test(text) ? 1 : 0.52)
  const lines = brokenLines(text, Math.min(16, Math.max(6, Math.floor((width * 0.66) / letterWidth)))).map((line) => line.trim())
  const reach = Math.max(...lines.map((line) => line.length)) * letterWidth * 0.5 + fontSize * 1.2
  const [x, y] = [left + width * 0.5, top + height * 0.24]
  const written = lines.map((line, index) => {
    const baseline = y + (index - (lines.length - 1) / 2) * fontSize * 1.15 + fontSize * 0.35
    return `<text x="${x}" y="${baseline}" font-family="Noto Sans CJK JP" font-size="${fontSize}" text-anchor="middle" fill="#111">${line}</text>`
  })
  return `<ellipse cx="${x}" cy="${y}" rx="${Math.min(reach, width * 0.47)}" ry="${fontSize * (0.75 + lines.length * 0.68)}" fill="#fff" stroke="#111" stroke-width="2.5"/>${written.join('')}`
}

interface PageSpec extends Size {
  seed: number
  lines: readonly string[]
}

/** One page in ink; the backgrounds of its panels are the demo's scenes without their colours. */
const drawnPage = async ({ width, height, seed, lines }: PageSpec): Promise<Sharp> => {
  const random = randomFrom(seed)
  const panels = panelsOf(random, { width, height })
  const fontSize = width * 0.03
  const kind = SCENE_KINDS[seed % SCENE_KINDS.length] ?? 'city'
  const scenery = await drawnScene(kind, seed, { width, height }).greyscale().linear(0.7, 70).png({ compressionLevel: 1 }).toBuffer()
  const inked = panels.map((panel, index) => {
    const text = lines[(seed + index) % lines.length] ?? ''
    return `<g clip-path="url(#p${index})">${index % 3 === 2 ? '' : face(random, panel)}${random() < 0.7 ? balloon(panel, text, fontSize) : ''}</g>
      <rect x="${panel.left}" y="${panel.top}" width="${panel.width}" height="${panel.height}" fill="none" stroke="#111" stroke-width="4"/>`
  })
  const boxes = (attributes: string): string =>
    panels.map(({ left, top, width: w, height: h }) => `<rect x="${left}" y="${top}" width="${w}" height="${h}" ${attributes}/>`).join('')
  const clips = panels.map(
    ({ left, top, width: w, height: h }, index) =>
      `<clipPath id="p${index}"><rect x="${left}" y="${top}" width="${w}" height="${h}"/></clipPath>`,
  )
  const ink = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>${clips.join('')}
    <mask id="m"><rect width="100%" height="100%" fill="#fff"/>${boxes('fill="#000"')}</mask></defs><rect width="100%" height="100%" fill="#fff" mask="url(#m)"/>${inked.join('')}</svg>`
  return sharp(scenery)
    .composite([{ input: Buffer.from(ink) }])
    .greyscale()
}

const comicInfo = ({ title, isRightToLeft }: MangaTitle, volume: number, pages: number): string => `<?xml version="1.0" encoding="utf-8"?>
<ComicInfo>
  <Title>Volume ${volume}</Title>
  <Series>${title}</Series>
  <Volume>${volume}</Volume>
  <PageCount>${pages}</PageCount>
  <Manga>${isRightToLeft ? 'YesAndRightToLeft' : 'No'}</Manga>
</ComicInfo>
`

const pageName = (number: number): string => `page ${String(number).padStart(3, '0')}.jpg`

const volumePages = async (manga: MangaTitle, volume: number, scale: Scale): Promise<Record<string, Buffer>> => {
  const seed = seedOf(manga.title) + volume * 1000
  const cover = await poster({ ...manga, above: `Volume ${volume}`, ...scale.page })
  const pages: Record<string, Buffer> = { [pageName(0)]: await cover.jpeg({ quality: 86 }).toBuffer() }
  for (let number = 1; number < scale.pagesPerVolume; number += 1) {
    const page = await drawnPage({ ...scale.page, seed: seed + number, lines: manga.isRightToLeft ? LINES.ja : LINES.en })
    pages[pageName(number)] = await page.jpeg({ quality: 78 }).toBuffer()
  }
  return pages
}

const makeVolume = async (root: string, manga: MangaTitle, volume: number, scale: Scale): Promise<void> => {
  const series = join(root, manga.title)
  const pages = await volumePages(manga, volume, scale)
  const name = `${manga.title} v${String(volume).padStart(2, '0')}`
  if (manga.layout === 'folders') {
    await mkdir(join(series, name), { recursive: true })
    for (const [file, bytes] of Object.entries(pages)) await writeFile(join(series, name, file), bytes)
    return
  }
  const folder = manga.layout === 'nested' ? join(series, `Arc ${volume} - ${volume === 1 ? 'Departure' : 'Return'}`) : series
  await makeZip(join(folder, `${name}.cbz`), { 'ComicInfo.xml': comicInfo(manga, volume, scale.pagesPerVolume), ...pages })
}

export const mangaJobs = (root: string, scale: Scale): Job[] =>
  MANGA.slice(0, scale.manga).flatMap((manga) =>
    Array.from({ length: manga.volumes }, (_, index) => () => makeVolume(root, manga, index + 1, scale)),
  )
