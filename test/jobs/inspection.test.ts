import { expect, setDefaultTimeout, test } from 'bun:test'
import { LibsqlError } from '@libsql/client'
import type { Writer } from '../../src/db/writer.ts'
import { AppError } from '../../src/errors.ts'
import { createInspection, type InspectedSource, type InspectionParts } from '../../src/jobs/inspection.ts'
import { silentLog, testDatabase } from '../support/test-database.ts'
import { waitFor } from '../support/test-server.ts'

const LIMIT_MS = 60_000
setDefaultTimeout(2 * LIMIT_MS)

/** A library of plain files of which some have a picture, and another of plain files alone. */
const open = async (plain: number, pictures: number) => {
  const database = await testDatabase()
  const rows = (libraryId: number, count: number, picture: string) =>
    `INSERT INTO media_items (item_key, library_id, item_type, path, title, stored_main_file, stored_thumbnail_path, thumbnail_version)
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
      SELECT 'mixed_file:${libraryId}:${picture}' || n, ${libraryId}, 'mixed_file', '${picture}' || n, 'x', '${picture}' || n,
        iif('${picture}' = 'picture', 'picture' || n, NULL), iif('${picture}' = 'picture', 'v', NULL) FROM numbers WHERE n <= ${count}`
  await database.client.batch([
    "INSERT INTO libraries (id, name, type, path) VALUES (1, 'One', 'mixed', '/one'), (2, 'Two', 'mixed', '/two')",
    rows(1, plain, 'plain'),
    rows(1, pictures, 'picture'),
    rows(2, plain, 'plain'),
  ])
  const asked: { libraryId: number; paths: readonly string[] }[] = []
  const made: number[] = []
  let writes = 0
  let away = 0
  const write: Writer = {
    ...database.write,
    batch: async (...given) => {
      writes += 1
      away -= 1
      if (away >= 0) throw new LibsqlError('Unable to connect', 'SERVER_ERROR')
      return database.write.batch(...given)
    },
  }
  const inspect = async (parts: Partial<InspectionParts> = {}, isDone?: () => Promise<boolean>): Promise<void> => {
    const inspection = createInspection(
      { db: database.db, write, log: silentLog },
      {
        threads: 2,
        isElsewhere: () => false,
        isHeld: () => false,
        isLeftAlone: () => false,
        isMade: async () => false,
        make: async ({ id }: InspectedSource) => {
          made.push(id)
          return { ok: true }
        },
        hashesOf: async (libraryId, paths) => {
          asked.push({ libraryId, paths })
          return paths.map((path) => `${libraryId} ${path}`)
        },
        takenAt: async () => null,
        onStart: () => void made.splice(0),
        ...parts,
      },
      { retryMs: 5 },
    )
    inspection.wake()
    expect(inspection.isLooking()).toBe(true)
    await waitFor(
      async () => (isDone ? await isDone() : !inspection.isLooking()) || undefined,
      LIMIT_MS,
      () => 'The look never ended',
    )
    inspection.stop()
  }
  const hashes = async (): Promise<Map<string, unknown>> => {
    const { rows: found } = await database.client.execute(
      "SELECT library_id || ' ' || path AS name, content_hash AS hash FROM media_items WHERE inspected_version IS NOT NULL",
    )
    return new Map(found.map(({ name, hash }) => [String(name), hash]))
  }
  const fail = (times: number): void => {
    away = times
  }
  return {
    database,
    inspect,
    hashes,
    asked,
    made,
    fail,
    writes: () => writes,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

test('plain files are hashed and kept many at a time, each with its own hash; pictures one by one', async () => {
  await using scene = await open(250, 5)
  await scene.inspect()
  const hashes = await scene.hashes()
  expect(hashes.size).toBe(505)
  expect([...hashes].filter(([name, hash]) => name !== hash)).toEqual([])
  expect(scene.made.length).toBe(5)
  // 505 items in hundreds, one of which is of both libraries, and a transaction for each picture.
  expect(scene.writes()).toBe(7 + 5)
  expect(scene.asked.every(({ paths }) => paths.length <= 100)).toBe(true)
})

test('a file that kills the thread which reads it holds up none of the others', async () => {
  await using scene = await open(120, 0)
  await scene.inspect({
    hashesOf: async (libraryId, paths) => {
      if (paths.includes('plain60')) throw new Error('The thread ended.')
      return paths.map((path) => `${libraryId} ${path}`)
    },
  })
  const hashes = await scene.hashes()
  expect(hashes.size).toBe(238)
  expect(['1 plain60', '2 plain60'].filter((name) => hashes.has(name))).toEqual([])
})

test('a file that cannot be read now is left for the next look, without its neighbours', async () => {
  await using scene = await open(10, 0)
  await scene.inspect({ hashesOf: async (libraryId, paths) => paths.map((path) => (path === 'plain3' ? null : `${libraryId} ${path}`)) })
  expect((await scene.hashes()).size).toBe(18)
  await scene.inspect()
  expect((await scene.hashes()).get('1 plain3')).toBe('1 plain3')
})

test('while items are passed over, others have their turn', async () => {
  await using scene = await open(1000, 0)
  let turns = 0
  const ticking = setInterval(() => {
    turns += 1
  }, 0)
  const passedOverAt = new Set<number>()
  await scene.inspect({
    isLeftAlone: () => {
      passedOverAt.add(turns)
      return true
    },
  })
  clearInterval(ticking)
  // 2000 items in hundreds; a turn may be over before the clock has ticked.
  expect(passedOverAt.size).toBeGreaterThan(3)
})

test('while the background is held files are hashed and no picture is made, and what was begun is the last', async () => {
  await using scene = await open(30, 5)
  const { client } = scene.database
  const countHashed = async (): Promise<unknown> => (await client.execute('SELECT count(content_hash) AS n FROM media_items')).rows[0]?.n
  await scene.inspect({ isHeld: () => true })
  expect([scene.made.length, await countHashed(), (await scene.hashes()).size]).toEqual([0, 65, 60])
  const asked = scene.asked.length
  await scene.inspect({ isHeld: () => true })
  await scene.inspect({ threads: 1, isHeld: () => scene.made.length === 2 })
  expect([scene.made.length, scene.asked.length]).toEqual([2, asked])
  await scene.inspect()
  expect([scene.made.length, (await scene.hashes()).size]).toEqual([3, 65])
})

test('once nothing can be kept the look ends', async () => {
  await using scene = await open(0, 300)
  let asked = 0
  await scene.inspect({
    threads: 1,
    isHeld: () => true,
    hashesOf: async () => {
      asked += 1
      throw new AppError('insufficient_storage')
    },
  })
  expect(asked).toBe(1)
})

test('a look that finds the database away ends, and all of it is made again by itself', async () => {
  await using scene = await open(0, 20)
  scene.fail(2)
  await scene.inspect({ threads: 1 }, async () => (await scene.hashes()).size === 20)
  expect(scene.writes()).toBe(22)
})

test('what a scan moves between the list and the work is looked at where it lies by then, and kept only if it still does', async () => {
  await using scene = await open(0, 3)
  const { client } = scene.database
  const move = (id: number): Promise<unknown> =>
    client.execute({
      sql: "UPDATE media_items SET stored_thumbnail_path = 'moved ' || id, stored_main_file = 'moved ' || id WHERE id = ?",
      args: [id],
    })
  const { rows } = await client.execute("SELECT id FROM media_items WHERE path LIKE 'picture%' ORDER BY id")
  const [first, second, third] = rows.map(({ id }) => Number(id))
  if (first === undefined || second === undefined || third === undefined) throw new Error('There are no pictures')
  const looked: unknown[] = []
  await scene.inspect({
    threads: 1,
    make: async ({ id, thumbnailPath }) => {
      looked.push(thumbnailPath)
      // Its own while it is looked at, and one that has not had its turn.
      if (id === first) for (const moved of [first, third]) await move(moved)
      return { ok: true }
    },
  })
  expect(looked).toEqual(['picture1', 'picture2', `moved ${third}`])
  expect(Object.fromEntries(await scene.hashes())).toEqual({ '1 picture2': '1 picture2', '1 picture3': `1 moved ${third}` })
  await scene.inspect()
  expect((await scene.hashes()).get('1 picture1')).toBe(`1 moved ${first}`)
})
