/** Thirty pages of text as libraries hold them, drawn with real fonts, and what is written on each. The same bytes each time. */

import sharp, { type Sharp } from 'sharp'
import { seeded } from '../bench/seeded.ts'

export interface OcrPage {
  name: string
  languages: string
  /** In reading order; how lines are broken does not count. */
  text: string
  make: () => Promise<Buffer>
  /** The share of characters that recognition may get wrong. */
  limit: number
  /** Only a model can read it. */
  isBeyondRecognition?: boolean
}

const PROSE = [
  'It is a truth universally acknowledged, that a single man in possession of a good fortune, must be in want of a wife.',
  'However little known the feelings or views of such a man may be on his first entering a neighbourhood, this truth is so well fixed in the minds of the surrounding families, that he is considered as the rightful property of some one or other of their daughters.',
  'My dear Mr. Bennet, said his lady to him one day, have you heard that Netherfield Park is let at last?',
  'Mr. Bennet replied that he had not.',
  'But it is, returned she; for Mrs. Long has just been here, and she told me all about it.',
] as const

const JAPANESE = [
  '吾輩は猫である。名前はまだ無い。',
  'どこで生れたかとんと見当がつかぬ。',
  '何でも薄暗いじめじめした所で泣いていた事だけは記憶している。',
  '吾輩はここで始めて人間というものを見た。',
  'しかもあとで聞くとそれは書生という人間中で一番獰悪な種族であったそうだ。',
] as const

const KOREAN = [
  '나 보기가 역겨워 가실 때에는 말없이 고이 보내 드리우리다',
  '영변에 약산 진달래꽃 아름 따다 가실 길에 뿌리우리다',
  '가시는 걸음걸음 놓인 그 꽃을 사뿐히 즈려밟고 가시옵소서',
  '나 보기가 역겨워 가실 때에는 죽어도 아니 눈물 흘리우리다',
] as const

interface Style {
  font: string
  /** Pixels. */
  size: number
  ink: string
  paper: string
}

const SERIF: Style = { font: 'DejaVu Serif', size: 28, ink: '#111', paper: '#fff' }
const SANS: Style = { ...SERIF, font: 'DejaVu Sans' }
const JAPANESE_SANS: Style = { ...SERIF, font: 'Noto Sans CJK JP', size: 34 }
const JAPANESE_SERIF: Style = { ...JAPANESE_SANS, font: 'Noto Serif CJK JP' }
const KOREAN_SANS: Style = { ...JAPANESE_SANS, font: 'Noto Sans CJK KR' }

const MARGIN = 60
const LINE_HEIGHT = 1.6

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** At spaces where there are any, else between any two characters. */
const broken = (text: string, characters: number): string[] => {
  const words = text.includes(' ') ? text.split(/(?<= )/) : [...text]
  const lines = ['']
  for (const word of words) {
    const last = lines.at(-1) ?? ''
    // No line begins with a full stop.
    if ((last + word).trimEnd().length <= characters || /^[。、」]$/.test(word)) lines[lines.length - 1] = last + word
    else lines.push(word)
  }
  return lines
}

interface Place {
  x: number
  y: number
}

const lineOf = (text: string, { x, y }: Place, { font, size, ink }: Style, direction = ''): string =>
  `<text x="${x}" y="${y}" font-family="${font}" font-size="${size}" fill="${ink}" xml:space="preserve" style="${direction}">${escaped(text)}</text>`

const drawing = (width: number, height: number, { paper }: Style, content: string): Sharp =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${paper}"/>${content}</svg>`,
    ),
  ).flatten({ background: '#fff' })

/** Paragraphs one below the other. */
const column = (paragraphs: readonly string[], style: Style, { x, y }: Place, characters: number): { content: string; bottom: number } => {
  let bottom = y
  const lines = paragraphs.flatMap((paragraph) =>
    broken(paragraph, characters).map((line) => {
      bottom += style.size * LINE_HEIGHT
      return lineOf(line, { x, y: bottom }, style)
    }),
  )
  return { content: lines.join(''), bottom }
}

const horizontal = (paragraphs: readonly string[], style: Style, characters = 60): Sharp => {
  const { content, bottom } = column(paragraphs, style, { x: MARGIN, y: MARGIN }, characters)
  const isWide = !paragraphs[0]?.includes(' ') || style.font.includes('KR')
  return drawing(Math.ceil(characters * style.size * (isWide ? 1.02 : 0.62)) + 2 * MARGIN, Math.ceil(bottom) + MARGIN, style, content)
}

const VERTICAL = 'writing-mode:vertical-rl'

/** Columns from right to left. */
const vertical = (paragraphs: readonly string[], style: Style, characters = 22): Sharp => {
  const lines = paragraphs.flatMap((paragraph) => broken(paragraph, characters))
  const step = style.size * LINE_HEIGHT
  const width = Math.ceil(lines.length * step) + 2 * MARGIN
  const content = lines.map((line, number) => lineOf(line, { x: width - MARGIN - (number + 0.5) * step, y: MARGIN }, style, VERTICAL))
  return drawing(width, Math.ceil((characters + 1) * style.size) + 2 * MARGIN, style, content.join(''))
}

const twoColumns = (): Sharp => {
  const style = { ...SERIF, size: 24 }
  const left = column(PROSE.slice(0, 2), style, { x: MARGIN, y: MARGIN }, 34)
  const right = column(PROSE.slice(2), style, { x: MARGIN + 600, y: MARGIN }, 34)
  return drawing(1250, Math.ceil(Math.max(left.bottom, right.bottom)) + MARGIN, style, left.content + right.content)
}

/** A sheet under a lamp, photographed with little light: uneven, blurred, with noise, as JPEG. */
const photographed = async (page: Sharp, seed: number, { noise = 24, blur = 0.8, quality = 60 } = {}): Promise<Buffer> => {
  const { data, info } = await page.blur(blur).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const random = seeded(seed)
  const { width, height, channels } = info
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const light = 1 - 0.45 * Math.hypot(x / width - 0.3, y / height - 0.3)
      // The sum of three is close enough to a bell.
      const grain = (random() + random() + random() - 1.5) * noise * 1.2
      for (let channel = 0; channel < channels; channel += 1) {
        const at = (y * width + x) * channels + channel
        data[at] = Math.max(0, Math.min(255, (data[at] ?? 0) * light + grain))
      }
    }
  }
  return sharp(data, { raw: { width, height, channels } }).jpeg({ quality }).toBuffer()
}

const skewed = (page: Sharp, degrees: number, paper = '#fff'): Promise<Buffer> =>
  page
    .png()
    .toBuffer()
    .then((png) => sharp(png).rotate(degrees, { background: paper }).png().toBuffer())

/** As cameras write it: the pixels lie, and a mark says how they are meant. */
const markedAs = async (page: Sharp, orientation: 3 | 6 | 8): Promise<Buffer> => {
  const degrees = { 3: 180, 6: 270, 8: 90 }[orientation]
  const turned = await sharp(await page.png().toBuffer())
    .rotate(degrees)
    .jpeg({ quality: 92 })
    .toBuffer()
  return sharp(turned).withMetadata({ orientation }).jpeg({ quality: 92 }).toBuffer()
}

/** A scene behind a box with text, as in games. */
const dialogue = (lines: readonly string[], style: Style): Sharp => {
  const scene = Array.from({ length: 40 }, (_, at) => {
    const random = seeded(at + 1)
    const [x, y, r] = [random() * 1280, random() * 460, 20 + random() * 90]
    return `<circle cx="${x}" cy="${y}" r="${r}" fill="hsl(${random() * 360} 40% ${20 + random() * 40}%)"/>`
  })
  const box = '<rect x="60" y="500" width="1160" height="190" rx="18" fill="#16224a" stroke="#c8d4ff" stroke-width="4"/>'
  const texts = lines.map((line, at) => lineOf(line, { x: 100, y: 560 + at * 46 }, style))
  return drawing(1280, 720, style, [...scene, box, ...texts].join(''))
}

/** Panels with speech in bubbles, read from right to left. */
const manga = (bubbles: readonly (readonly string[])[], style: Style): Sharp => {
  const places = [
    { x: 830, y: 200 },
    { x: 270, y: 260 },
    { x: 800, y: 950 },
    { x: 260, y: 1010 },
  ]
  const panels = places.map(
    ({ x, y }) => `<rect x="${x - 240}" y="${y - 170}" width="500" height="680" fill="#ddd" stroke="#000" stroke-width="5"/>`,
  )
  const hatching = Array.from({ length: 160 }, (_, at) => {
    const random = seeded(at + 50)
    const [x, y] = [random() * 1000, random() * 1500]
    return `<path d="M${x} ${y} l${random() * 90} ${random() * 90}" stroke="#777" stroke-width="${1 + random() * 2}"/>`
  })
  const speech = bubbles.flatMap((columns, at) => {
    const { x, y } = places[at] ?? { x: 0, y: 0 }
    const bubble = `<ellipse cx="${x}" cy="${y + 130}" rx="150" ry="230" fill="#fff" stroke="#000" stroke-width="4"/>`
    const step = style.size * 1.4
    return [
      bubble,
      ...columns.map((text, number) => lineOf(text, { x: x + ((columns.length - 1) / 2 - number) * step, y: y - 10 }, style, VERTICAL)),
    ]
  })
  return drawing(1080, 1560, style, [...panels, ...hatching, ...speech].join(''))
}

const SPEECH = [
  ['待ってくれ', 'まだ早い'],
  ['どうして', 'ここにいる'],
  ['約束を', '忘れたのか'],
  ['明日また', '会おう'],
] as const

const png = (page: Sharp): Promise<Buffer> => page.png().toBuffer()
const latin = PROSE.join(' ')
const japanese = JAPANESE.join('')
const korean = KOREAN.join(' ')
const dialogueLines = ['The gate will not open before dawn.', 'Bring me three feathers and a lantern,', 'and I shall tell you what I know.']

/** What was measured, and a little more for other machines' arithmetic. */
const LIMITS = { eng: 0.01, jpn: 0.04, kor: 0.03 } as const

const english = (name: string, make: () => Promise<Buffer>, text = latin): OcrPage => ({
  name,
  languages: 'eng',
  text,
  make,
  limit: LIMITS.eng,
})
const inJapanese = (name: string, make: () => Promise<Buffer>, text = japanese): OcrPage => ({
  name,
  languages: 'jpn',
  text,
  make,
  limit: LIMITS.jpn,
})
const inKorean = (name: string, make: () => Promise<Buffer>, text = korean): OcrPage => ({
  name,
  languages: 'kor',
  text,
  make,
  limit: LIMITS.kor,
})

const DARK = { ink: '#f4f4f4', paper: '#10131a' }

export const OCR_PAGES: readonly OcrPage[] = [
  english('book, serif', () => png(horizontal(PROSE, SERIF))),
  { ...english('upside down, unmarked', () => skewed(horizontal(PROSE, SANS), 180)), isBeyondRecognition: true },
  english('typewriter', () => png(horizontal(PROSE, { ...SERIF, font: 'DejaVu Sans Mono', size: 26 }))),
  english('two columns', () => png(twoColumns())),
  english('small, 13 px', () => png(horizontal(PROSE, { ...SANS, size: 13 }))),
  english('tiny, 10 px', () => png(horizontal(PROSE, { ...SANS, size: 10 }))),
  english('huge, 110 px', () => png(horizontal(PROSE.slice(0, 1), { ...SERIF, size: 110 }, 22)), PROSE[0]),
  english('white on dark', () => png(horizontal(PROSE, { ...SANS, ...DARK }))),
  english(
    'game, light box',
    () => png(dialogue(dialogueLines, { ...SANS, size: 30, ink: '#f0f3ff', paper: '#27351f' })),
    dialogueLines.join(' '),
  ),
  english('low contrast', () => png(horizontal(PROSE, { ...SANS, ink: '#9a9a9a', paper: '#b8b8b8' }))),
  english('low contrast, dark', () => png(horizontal(PROSE, { ...SERIF, ink: '#555a60', paper: '#33363a' }))),
  english('on its side (EXIF 6)', () => markedAs(horizontal(PROSE, SERIF), 6)),
  english('upside down (EXIF 3)', () => markedAs(horizontal(PROSE, SANS), 3)),
  english('askew by 2 degrees', () => skewed(horizontal(PROSE, SERIF), 2)),
  english('askew by -6 degrees', () => skewed(horizontal(PROSE, SANS), -6)),
  english('photographed', () => photographed(horizontal(PROSE, SERIF), 11)),
  english('photographed, dim', () => photographed(horizontal(PROSE, SANS), 12, { noise: 60, blur: 1.2, quality: 45 })),
  inJapanese('japanese, sans', () => png(horizontal(JAPANESE, JAPANESE_SANS, 24))),
  inJapanese('japanese, serif', () => png(horizontal(JAPANESE, JAPANESE_SERIF, 24))),
  inJapanese('japanese, white on dark', () => png(horizontal(JAPANESE, { ...JAPANESE_SANS, ...DARK }, 24))),
  inJapanese('japanese, small', () => png(horizontal(JAPANESE, { ...JAPANESE_SANS, size: 14 }, 24))),
  inJapanese('japanese, photographed', () => photographed(horizontal(JAPANESE, JAPANESE_SANS, 24), 21)),
  inJapanese('japanese, vertical novel', () => png(vertical(JAPANESE, JAPANESE_SERIF))),
  inJapanese('japanese, vertical sans', () => png(vertical(JAPANESE, { ...JAPANESE_SANS, size: 40 }))),
  inJapanese('japanese, vertical, dark', () => png(vertical(JAPANESE, { ...JAPANESE_SANS, ...DARK }))),
  inJapanese('manga page', () => png(manga(SPEECH, JAPANESE_SANS)), SPEECH.flat().join('')),
  inKorean('korean', () => png(horizontal(KOREAN, KOREAN_SANS, 32))),
  inKorean('korean, white on dark', () => png(horizontal(KOREAN, { ...KOREAN_SANS, ...DARK }, 32))),
  inKorean('korean, photographed', () => photographed(horizontal(KOREAN, KOREAN_SANS, 32), 31)),
  {
    name: 'japanese and english',
    languages: 'jpn+eng',
    text: `${JAPANESE.slice(0, 2).join('')}${PROSE[0]}`,
    make: () => png(horizontal([...JAPANESE.slice(0, 2), PROSE[0]], { ...JAPANESE_SANS, size: 32 }, 40)),
    limit: LIMITS.jpn,
  },
]
