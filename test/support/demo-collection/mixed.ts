import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { writeHeic } from '../heic-file.ts'
import { panClip } from './clips.ts'
import type { Job, Scale } from './scale.ts'
import { drawnScene, photograph, randomFrom, SCENE_KINDS, seedOf } from './scenes.ts'

/** A family's own folder: photographs by year and occasion, clips, a few documents, every picture format that turns up. */

const OCCASIONS = ['2019/Garden', '2021/Summer at the lake', '2021/Winter walk', '2023/Grandma’s birthday', '2024'] as const
const DAY_MS = 86_400_000

const dateOf = (folder: string, number: number): Date => new Date(Date.UTC(Number(folder.slice(0, 4)), 5, 3, 9, 30) + number * 0.3 * DAY_MS)

const exifDate = (date: Date): string => date.toISOString().slice(0, 19).replaceAll('-', ':').replace('T', ' ')

const makePhoto = async (root: string, folder: string, number: number, scale: Scale): Promise<void> => {
  const date = dateOf(folder, number)
  const path = join(root, folder, `IMG_${exifDate(date).slice(0, 10).replaceAll(':', '')}_${String(number + 1).padStart(3, '0')}.jpg`)
  const seed = seedOf(`${folder}${number}`)
  const isPortrait = number % 4 === 3
  const size = { width: scale.photoWidth, height: Math.round(scale.photoWidth * (number % 5 === 2 ? 0.5625 : 0.75)) }
  const picture = await photograph(
    SCENE_KINDS[seed % SCENE_KINDS.length] ?? 'sea',
    seed,
    isPortrait ? { width: size.height, height: size.width } : size,
  )
  await mkdir(dirname(path), { recursive: true })
  // A camera held upright stores the picture lying, and says so.
  const stored = isPortrait ? sharp(await picture.rotate(270).toBuffer()) : picture
  await stored
    .withExif({ IFD0: { Make: 'Household', Model: 'Pocket 3' }, IFD2: { DateTimeOriginal: exifDate(date) } })
    .withMetadata({ orientation: isPortrait ? 6 : 1 })
    .jpeg({ quality: 84 })
    .toFile(path)
  await utimes(path, date, date)
}

const animation = async (path: string): Promise<void> => {
  const frames: Buffer[] = []
  for (let number = 0; number < 8; number += 1) {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="160"><rect width="160" height="160" fill="#172033"/><circle cx="80" cy="${40 + Math.abs(4 - number) * 18}" r="24" fill="#7aa2ff"/></svg>`
    frames.push(await sharp(Buffer.from(svg)).png().toBuffer())
  }
  await sharp(frames, { join: { animated: true } })
    .gif({ delay: 90, loop: 0 })
    .toFile(path)
}

/** A PDF of one page with one line, its cross-reference table in order (ISO 32000, 7.5). */
const onePagePdf = (line: string): string => {
  const content = `BT /F1 24 Tf 72 720 Td (${line}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  return `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
}

const NOTES = 'Packing list\n\n- tent (the blue one)\n- pegs!\n- camera, both batteries\n- the good kettle\n'

/** A second of quiet hiss as a WAV file: 16 bits, one channel, 8,000 samples. */
const voiceMemo = (): Buffer => {
  const [random, rate] = [randomFrom(4), 8_000]
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + rate * 2, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(rate * 2, 40)
  const samples = Int16Array.from({ length: rate }, () => (random() - 0.5) * 600)
  return Buffer.concat([header, new Uint8Array(samples.buffer)])
}

const HEIC_SIZE = { width: 640, height: 480 }

const makeOddments = async (root: string, scale: Scale): Promise<void> => {
  const at = async (path: string): Promise<string> => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    return join(root, path)
  }
  await writeFile(await at('2021/Summer at the lake/packing list.txt'), NOTES)
  await writeFile(await at('Documents/Recipe for plum cake.pdf'), onePagePdf('Plum cake: 1 kg plums, 300 g flour, patience'))
  await writeFile(await at('Documents/voice memo.wav'), voiceMemo())
  await animation(await at('Documents/bounce.gif'))
  await drawnScene('shapes', 12, { width: 900, height: 600 })
    .png()
    .toFile(await at('Documents/kitchen plan.png'))
  await (await photograph('forest', 31, { width: scale.photoWidth, height: scale.photoWidth }))
    .webp({ quality: 80 })
    .toFile(await at('2024/from the chat.webp'))
  const pixels = await (await photograph('sea', 41, HEIC_SIZE)).removeAlpha().raw().toBuffer()
  await writeHeic(await at('2024/IMG_0815.HEIC'), pixels, HEIC_SIZE)
}

const makeClip = async (root: string, folder: string, scale: Scale): Promise<void> => {
  const path = join(root, folder, 'VID_0001.mp4')
  const seed = seedOf(folder)
  await mkdir(dirname(path), { recursive: true })
  await panClip(path, await photograph('sea', seed, scale.wide), { ...scale.clip, seed })
  await utimes(path, dateOf(folder, 1), dateOf(folder, 1))
}

export const mixedJobs = (root: string, scale: Scale): Job[] => [
  ...OCCASIONS.flatMap((folder) =>
    Array.from({ length: scale.photosPerFolder }, (_, number) => () => makePhoto(root, folder, number, scale)),
  ),
  ...OCCASIONS.slice(0, 3).map((folder) => () => makeClip(root, folder, scale)),
  () => makeOddments(root, scale),
]
