/** A household's pictures and clips as very many very small real files. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { drawnPicture, makeClip } from '../support/real-media.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { cachedFolder } from './cached-folder.ts'
import { seeded } from './seeded.ts'

const YEARS = 20
const EVENTS = 10
const DAYS = 10
const PICTURES_A_FOLDER = 36
const CLIPS_A_FOLDER = 9
const PICTURES_AT_THE_TOP = 80
const CLIPS_AT_THE_TOP = 20

/** 20 years x (1 + 10 events x (1 + 10 days)) folders and the top one. */
export const SET = { files: 100_000, folders: 2221 } as const

const PICTURE_BYTES = { least: 900, most: 1900 }
const CLIP_BYTES = 1600
const PICTURE_VARIANTS = 24

const padded = (value: number, digits: number): string => String(value).padStart(digits, '0')

/** Brings a JPEG to this size by a comment segment behind its first marker; the text tells the files apart. */
const withComment = (jpeg: Buffer, text: string, bytes: number): Buffer => {
  const comment = Buffer.alloc(Math.max(bytes - jpeg.length - 4, text.length), ' ')
  comment.write(text)
  const header = Buffer.from([0xff, 0xfe, 0, 0])
  header.writeUInt16BE(comment.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), header, comment, jpeg.subarray(2)])
}

/** Brings an MP4 to this size by a `free` box at its end. */
const withFreeBox = (clip: Buffer, text: string, bytes: number): Buffer => {
  const box = Buffer.alloc(Math.max(bytes - clip.length, 8 + text.length), ' ')
  box.writeUInt32BE(box.length, 0)
  box.write(`free${text}`, 4)
  return Buffer.concat([clip, box])
}

const makeVariants = (): Promise<Buffer[]> =>
  Promise.all(
    Array.from({ length: PICTURE_VARIANTS }, (_, seed) =>
      drawnPicture({ width: 24, height: 16, seed }).jpeg({ quality: 40, mozjpeg: true }).toBuffer(),
    ),
  )

const makeTinyClip = async (): Promise<Buffer> => {
  await using folder = await temporaryFolder('tiny-clip')
  const path = await makeClip(join(folder.path, 'a.mp4'), { seconds: 0.1, width: 32, height: 32, videoCodec: 'mpeg4', audioCodec: 'none' })
  return await readFile(path)
}

const foldersOf = (set: string): string[] => {
  const folders: string[] = []
  for (let year = 0; year < YEARS; year += 1) {
    const yearFolder = join(set, String(2001 + year))
    folders.push(yearFolder)
    for (let event = 1; event <= EVENTS; event += 1) {
      const eventFolder = join(yearFolder, `${padded(event, 2)} Événement ${event}`)
      folders.push(eventFolder)
      for (let day = 1; day <= DAYS; day += 1) folders.push(join(eventFolder, `Day ${day}`))
    }
  }
  return folders
}

const writeTree = async (root: string, sets: number): Promise<void> => {
  const [variants, clip] = [await makeVariants(), await makeTinyClip()]
  const random = seeded(1)
  let serial = 0
  const fill = (folder: string, pictures: number, clips: number): void => {
    mkdirSync(folder, { recursive: true })
    for (let number = 0; number < pictures; number += 1) {
      serial += 1
      const bytes = PICTURE_BYTES.least + Math.floor(random() * (PICTURE_BYTES.most - PICTURE_BYTES.least + 1))
      const picture = variants[serial % PICTURE_VARIANTS] ?? Buffer.alloc(0)
      writeFileSync(join(folder, `IMG_${padded(serial, 7)}.jpg`), withComment(picture, `picture ${serial}`, bytes))
    }
    for (let number = 0; number < clips; number += 1) {
      serial += 1
      writeFileSync(join(folder, `MOV_${padded(serial, 7)}.mp4`), withFreeBox(clip, `clip ${serial}`, CLIP_BYTES))
    }
  }
  for (let set = 0; set < sets; set += 1) {
    const top = sets === 1 ? root : join(root, `Disk ${set + 1}`)
    fill(top, PICTURES_AT_THE_TOP, CLIPS_AT_THE_TOP)
    for (const folder of foldersOf(top)) fill(folder, PICTURES_A_FOLDER, CLIPS_A_FOLDER)
  }
}

/** The folder of a tree of `sets` x 100,000 files: 80 % JPEG of 0.9 to 1.9 KB, 20 % MP4 of 1.6 KB. */
export const mixedTree = (sets: number): Promise<string> => cachedFolder(`mixed-${sets}`, 'v1', (path) => writeTree(path, sets))
