import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import decodeHeic from 'heic-decode'
import sharp from 'sharp'
import { file, link } from './library-tree.ts'
import { runProgram } from './program.ts'
import { drawnPages, makeClip, makePicture, makeTarGz, makeZip } from './real-media.ts'
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts'

let folder: TemporaryFolder
const at = (name: string): string => join(folder.path, name)
beforeAll(async () => {
  folder = await temporaryFolder('media')
})
afterAll(() => folder.remove())

for (const [extension, format] of [
  ['jpg', 'jpeg'],
  ['png', 'png'],
  ['webp', 'webp'],
  ['gif', 'gif'],
  ['tiff', 'tiff'],
  ['avif', 'heif'],
]) {
  test(`a made ${extension} is one, in its size`, async () => {
    const metadata = await sharp(await makePicture(at(`a.${extension}`), { width: 200, height: 100 })).metadata()
    expect(metadata).toMatchObject({ format, width: 200, height: 100 })
  })
}

test('a made heic decodes to the pixels that were drawn', async () => {
  const path = await makePicture(at('photo.heic'), { width: 160, height: 120, seed: 3 })
  const { width, height, data } = await decodeHeic({ buffer: await readFile(path) })
  const drawn = await sharp(await makePicture(at('photo.png'), { width: 160, height: 120, seed: 3 }))
    .ensureAlpha()
    .raw()
    .toBuffer()
  expect([width, height]).toEqual([160, 120])
  const difference = drawn.reduce((sum, value, index) => sum + Math.abs(value - (data[index] ?? 0)), 0) / drawn.length
  expect(difference).toBeLessThan(12)
})

test('a made clip has the codecs and the length of its description, and the same bytes twice', async () => {
  const spec = { seconds: 1, videoCodec: 'libx264', audioCodec: 'aac' } as const
  const [first, second] = [await makeClip(at('one.mkv'), spec), await makeClip(at('two.mkv'), spec)]
  const facts = JSON.parse(
    (await runProgram(['ffprobe', '-v', 'error', '-print_format', 'json', '-show_streams', '-show_format', first])).toString(),
  )
  expect(facts.streams.map((stream: { codec_name: string }) => stream.codec_name)).toEqual(['h264', 'aac'])
  expect(Number(facts.format.duration)).toBeCloseTo(1, 0)
  expect((await readFile(first)).equals(await readFile(second))).toBe(true)
})

test('archives keep modes and links', async () => {
  await makeZip(at('app.zip'), { 'run.sh': { content: '#!/bin/sh\n', mode: 0o755 }, latest: { link: 'run.sh' }, ...(await drawnPages(2)) })
  const listing = (await runProgram(['unzip', '-Z', at('app.zip')])).toString()
  expect(listing).toMatch(/-rwxr-xr-x.* run\.sh/)
  expect(listing).toMatch(/lrwxrwxrwx.* latest/)
  expect(listing).toMatch(/ 002\.jpg/)
  await makeTarGz(at('app.tar.gz'), { 'bin/run': file({ content: 'x', mode: 0o755 }), run: link('bin/run') })
  const tarListing = (await runProgram(['tar', '-tvzf', at('app.tar.gz')])).toString()
  expect(tarListing).toMatch(/-rwxr-xr-x .*\.\/bin\/run\n/)
  expect(tarListing).toContain('./run -> bin/run')
})
