/** Pictures as a telephone makes them: 12 megapixels, about 2 MB, no two alike. */

import { join } from 'node:path'
import sharp from 'sharp'
import { drawnPicture } from '../support/real-media.ts'
import { cachedFolder } from './cached-folder.ts'
import { seeded } from './seeded.ts'

export const PHOTOGRAPHS = 300
const WIDTH = 4000
const HEIGHT = 3000
const AT_ONCE = 2

/** Grain larger than the crop of any picture, so that each takes another piece of it. */
const GRAIN = { width: 2600, height: 2000 }
const CROP = { width: 2000, height: 1500 }

const makeGrain = (): Buffer => {
  const random = seeded(5)
  return Buffer.from(Uint8Array.from({ length: GRAIN.width * GRAIN.height }, () => 96 + random() * 64))
}

const makePhotograph = async (path: string, grain: Buffer, seed: number): Promise<void> => {
  const random = seeded(seed)
  const [left, top] = [Math.floor(random() * (GRAIN.width - CROP.width)), Math.floor(random() * (GRAIN.height - CROP.height))]
  const noise = await sharp(grain, { raw: { ...GRAIN, channels: 1 } })
    .extract({ left, top, ...CROP })
    .resize(WIDTH, HEIGHT, { kernel: 'cubic' })
    .toColourspace('srgb')
    .png({ compressionLevel: 1 })
    .toBuffer()
  const scene = await drawnPicture({ width: WIDTH, height: HEIGHT, seed }).png({ compressionLevel: 1 }).toBuffer()
  await sharp(scene)
    .composite([{ input: noise, blend: 'overlay' }])
    .jpeg({ quality: 82 })
    .toFile(path)
}

const makeAll = async (folder: string): Promise<void> => {
  const grain = makeGrain()
  let next = 1
  const lane = async (): Promise<void> => {
    for (let number = next++; number <= PHOTOGRAPHS; number = next++) {
      await makePhotograph(join(folder, `IMG_${String(number).padStart(4, '0')}.jpg`), grain, number)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}

/** A folder of 300 JPEGs of 4000 x 3000 pixels. */
export const photographs = (): Promise<string> => cachedFolder('photographs', 'v1', makeAll)
