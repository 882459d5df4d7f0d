import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { parseConfig } from '../../src/config.ts'
import type { Writer } from '../../src/db/writer.ts'
import type { ThumbnailSource } from '../../src/deps.ts'
import { THUMBNAIL_SIZE_NAMES } from '../../src/domain/thumbnail-size.ts'
import { AppError } from '../../src/errors.ts'
import { createThumbnailQueue } from '../../src/jobs/thumbnail-queue.ts'
import { makeClip, makePicture, makeZip } from '../support/real-media.ts'
import { startTestApp } from '../support/test-app.ts'
import { silentLog, testDatabase } from '../support/test-database.ts'
import { waitFor } from '../support/test-server.ts'

const LIMIT_MS = 60_000
setDefaultTimeout(2 * LIMIT_MS)

/** A library with two pictures, of which one lies where an item was before. */
const open = async () => {
  const app = await startTestApp()
  const { client } = app.database
  const root = join(app.deps.config.dataDir, 'library')
  await makePicture(join(root, 'old.png'), { width: 40, height: 20 })
  await makePicture(join(root, 'new.png'), { width: 30, height: 30 })
  await client.batch([
    { sql: "INSERT INTO libraries (id, name, type, path, real_path) VALUES (1, 'Pictures', 'mixed', ?1, ?1)", args: [root] },
    `INSERT INTO media_items (id, item_key, library_id, item_type, path, title, thumbnail_kind, stored_thumbnail_path, thumbnail_version)
      VALUES (7, 'mixed_file:1:new.png', 1, 'mixed_file', 'new.png', 'new', 'image', 'new.png', 'v')`,
  ])
  let writes = 0
  let held: Promise<void> | undefined
  /** What is learnt is not kept until the answer is called. */
  const hold = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    held = promise
    return resolve
  }
  const write: Writer = {
    ...app.deps.write,
    batch: (...given) => {
      writes += 1
      return app.deps.write.batch(...given)
    },
    transaction: async (...given) => {
      writes += 1
      await held
      return app.deps.write.transaction(...given)
    },
  }
  const queue = createThumbnailQueue({ ...app.deps, write }, { isScanning: () => false, isDiskNearlyFull: () => false })
  const read: ThumbnailSource = {
    id: 7,
    libraryId: 1,
    itemType: 'mixed_file',
    mainFile: 'new.png',
    thumbnailKind: 'image',
    thumbnailPath: 'new.png',
    thumbnailVersion: 'v',
    inspectError: null,
    missingSince: null,
  }
  const rest = () =>
    waitFor(
      () => queue.state().running === 0 || undefined,
      LIMIT_MS,
      () => 'The queue did not come to rest',
    )
  /** How many writes it took. */
  const look = async (): Promise<number> => {
    const before = writes
    queue.wake()
    await waitFor(
      () => !queue.isLooking() || undefined,
      LIMIT_MS,
      () => 'The look never ended',
    )
    return writes - before
  }
  const close = async (): Promise<void> => {
    queue.close()
    await app[Symbol.asyncDispose]()
  }
  const folder = join(app.deps.config.dataDir, 'thumbnails')
  const pictures = (): string[] =>
    existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.webp')) : []
  return { client, queue, read, rest, look, hold, folder, pictures, [Symbol.asyncDispose]: close }
}

/** Of what is handed out, or why nothing is. */
const sizeOf = async (asked: Promise<string>): Promise<string> => {
  try {
    const { width, height } = await sharp(await asked).metadata()
    return `${width}x${height}`
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

test('of a picture that was moved meanwhile, nothing is kept of what lies in its old place', async () => {
  await using scene = await open()
  const { client, queue, read, rest } = scene
  const sizes = async () => (await client.execute('SELECT width, height FROM media_items')).rows.map(({ width, height }) => [width, height])
  expect(await sizeOf(queue.get({ ...read, thumbnailPath: 'old.png' }, 'small'))).toBe('no_thumbnail')
  await rest()
  expect(await sizes()).toEqual([[null, null]])
  expect(scene.pictures()).toEqual([])
  const file = await queue.get(read, 'small')
  await rest()
  expect(await sizes()).toEqual([[30, 30]])
  expect(await Bun.file(file).exists()).toBe(true)
})

test('what was made of another picture under its name is handed out to nobody before that is known', async () => {
  await using scene = await open()
  const { queue, read } = scene
  const letGo = scene.hold()
  const wrong = sizeOf(queue.get({ ...read, thumbnailPath: 'old.png' }, 'small'))
  await waitFor(
    () => scene.pictures().length === THUMBNAIL_SIZE_NAMES.length || undefined,
    LIMIT_MS,
    () => `There are ${scene.pictures()}.`,
  )
  const right = sizeOf(queue.get(read, 'small'))
  letGo()
  expect(await wrong).toBe('no_thumbnail')
  // One that comes when the wrong one is gone is the first of the right one.
  expect(['no_thumbnail', '30x30']).toContain(await right)
  await scene.rest()
})

test('what is kept of a picture whose other sizes are still being made is known once they are', async () => {
  await using scene = await open()
  const { queue, read } = scene
  const letGo = scene.hold()
  const file = await queue.get(read, 'small')
  const kept = queue.findKept(read, 'small')
  letGo()
  expect(await kept).toBe(file)
  await scene.rest()
})

test('of a picture of which nothing is kept that is known at once, however long it takes to be made', async () => {
  await using scene = await open()
  const { queue, read } = scene
  const letGo = scene.hold()
  const made = queue.get(read, 'small')
  await waitFor(
    () => scene.pictures().length === THUMBNAIL_SIZE_NAMES.length || undefined,
    LIMIT_MS,
    () => `There are ${scene.pictures()}.`,
  )
  rmSync(scene.folder, { recursive: true })
  expect(await Promise.race([queue.findKept(read, 'small'), Bun.sleep(5000).then(() => 'not known')])).toBeUndefined()
  letGo()
  await made
  await scene.rest()
})

test('a picture that there was no place for is made once there is', async () => {
  await using scene = await open()
  writeFileSync(scene.folder, 'in the way')
  await expect(scene.queue.get(scene.read, 'small')).rejects.toMatchObject({ code: 'no_thumbnail' })
  rmSync(scene.folder)
  expect(await Bun.file(await scene.queue.get(scene.read, 'small')).exists()).toBe(true)
  await scene.rest()
})

test('what there is no picture of for now costs nothing at the next look: a series without ffmpeg, a poster that is not there', async () => {
  await using scene = await open()
  await scene.client.execute(`INSERT INTO media_items
    (id, item_key, library_id, item_type, path, title, stored_main_file, thumbnail_kind, stored_thumbnail_path, thumbnail_version) VALUES
    (8, 'tv_series:1:S', 1, 'tv_series', 'S', 'S', NULL, 'video', 'new.png', 'v'),
    (9, 'movie:1:F', 1, 'movie', 'F', 'F', 'old.png', 'image', 'gone.png', 'v')`)
  const errors = async () =>
    (await scene.client.execute('SELECT inspect_error FROM media_items ORDER BY id')).rows.map((row) => row.inspect_error)
  expect(await scene.look()).toBeGreaterThan(0)
  expect(await errors()).toEqual([null, 'no_ffmpeg', null])
  await scene.client.execute("UPDATE media_items SET entry = '{}'")
  expect(await scene.look()).toBe(0)
  expect((await scene.client.execute('SELECT id FROM media_items WHERE entry IS NULL')).rows).toEqual([])
})

/** A broken one stays broken: what is tried again at every look wakes disks for nothing. */
test('where the file beside a film, an episode or a volume is no picture, what is in it stands for it, until that file is one', async () => {
  await using database = await testDatabase()
  const { client, folder } = database
  const root = join(folder, 'media')
  await makeClip(join(root, 'film.mp4'), { width: 192, height: 108 })
  await makeZip(join(root, 'volume.cbz'), {
    '1.png': await sharp(await makePicture(join(root, 'page.png'), { width: 60, height: 90 })).toBuffer(),
  })
  await writeFile(join(root, 'picture.jpg'), 'no picture')
  const row = (id: number, itemType: string, mainFile: string) =>
    `(${id}, '${itemType}:1:${id}', 1, '${itemType}', '${id}', 'x', '${mainFile}', 'image', 'picture.jpg', 'v')`
  await client.batch([
    `INSERT INTO libraries (id, name, type, path) VALUES (1, 'Films', 'movies', '${root}')`,
    `INSERT INTO media_items (id, item_key, library_id, item_type, path, title, stored_main_file, thumbnail_kind, stored_thumbnail_path, thumbnail_version)
      VALUES ${[row(1, 'movie', 'film.mp4'), row(2, 'tv_episode', 'film.mp4'), row(3, 'manga_volume', 'volume.cbz'), row(4, 'game', 'volume.cbz')]}`,
  ])
  const queue = createThumbnailQueue(
    { config: parseConfig(['--data', folder], { PATH: process.env.PATH }), db: database.db, write: database.write, log: silentLog },
    { isScanning: () => false, isDiskNearlyFull: () => false },
  )
  const look = async () => {
    queue.wake()
    await waitFor(
      () => !queue.isLooking() || undefined,
      LIMIT_MS,
      () => 'The look never ended',
    )
    const { rows } = await client.execute(
      'SELECT width, height, inspect_error, thumbnail_path, thumbnail_version, inspected_version FROM media_items ORDER BY id',
    )
    return rows.map((each) => Object.values(each).join(' '))
  }
  const inside = 'picture.jpg v v'
  try {
    const made = [`192 108  ${inside}`, `192 108  ${inside}`, `60 90  ${inside}`, `  unsupported ${inside}`]
    expect(await look()).toEqual(made)
    const { mtimeMs } = statSync(join(folder, 'thumbnails/01/1-v-small.webp'))
    expect(await look()).toEqual(made)
    expect(statSync(join(folder, 'thumbnails/01/1-v-small.webp')).mtimeMs).toBe(mtimeMs)
    await sharp(join(root, 'page.png')).toFile(join(root, 'picture.jpg'))
    await client.execute("UPDATE media_items SET thumbnail_version = 'w', inspected_version = NULL, inspect_error = NULL, thumbhash = NULL")
    expect(await look()).toEqual(Array.from({ length: 4 }, () => '60 90  picture.jpg w w'))
  } finally {
    queue.close()
  }
})

test('a picture that cannot be made is offered by no card any more, nor by those of the season and the series that borrow it', async () => {
  await using database = await testDatabase()
  const { client, folder } = database
  await writeFile(join(folder, 'episode.png'), 'no picture')
  const row = (id: number, itemType: string, parentId: number | null) =>
    `(${id}, '${itemType}:1:${id}', 1, '${itemType}', ${parentId}, '${id}', 'x', '{}')`
  await client.batch([
    `INSERT INTO libraries (id, name, type, path) VALUES (1, 'Series', 'tv', '${folder}')`,
    `INSERT INTO media_items (id, item_key, library_id, item_type, parent_id, path, title, entry) VALUES
      ${[row(1, 'tv_series', null), row(2, 'tv_season', 1), row(3, 'tv_episode', 2), row(4, 'tv_episode', 2), row(5, 'tv_series', null)]}`,
  ])
  const source = {
    id: 3,
    libraryId: 1,
    itemType: 'mixed_file',
    mainFile: 'new.png',
    thumbnailKind: 'image',
    thumbnailPath: 'episode.png',
    thumbnailVersion: 'v',
    inspectError: null,
    missingSince: null,
  } as const
  await client.execute("UPDATE media_items SET thumbnail_version = 'v', stored_thumbnail_path = 'episode.png', entry = '{}' WHERE id = 3")
  const queue = createThumbnailQueue(
    { config: parseConfig(['--data', folder], { PATH: process.env.PATH }), db: database.db, write: database.write, log: silentLog },
    { isScanning: () => false, isDiskNearlyFull: () => false },
  )
  try {
    await expect(queue.get(source, 'small')).rejects.toMatchObject({ code: 'no_thumbnail' })
  } finally {
    queue.close()
  }
  const { rows } = await client.execute('SELECT id FROM media_items WHERE entry IS NOT NULL ORDER BY id')
  expect(rows.map(({ id }) => id)).toEqual([4, 5])
})
