import { describe, expect, test } from 'bun:test'
import { cp, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { MIGRATIONS_FOLDER } from '../../src/db/migration-files.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testDatabase } from '../support/test-database.ts'

const REPOSITORY = join(import.meta.dir, '../..')

const SCHEMA_FOLDER = join(REPOSITORY, 'src/db/schema')

/** Of every file, so that no new one is left out. */
const modules: object[] = await Promise.all((await readdir(SCHEMA_FOLDER)).map((name) => import(join(SCHEMA_FOLDER, name))))

const tables = modules
  .flatMap((module): unknown[] => Object.values(module))
  .filter((table) => is(table, SQLiteTable))
  .map(getTableConfig)

describe('the schema', () => {
  test('is what the history of migrations ends in: drizzle-kit finds nothing to add', async () => {
    await using folder = await temporaryFolder('schema')
    const history = join(folder.path, 'drizzle')
    await cp(MIGRATIONS_FOLDER, history, { recursive: true })
    const kit = Bun.spawn(
      [
        process.execPath,
        join(REPOSITORY, 'node_modules/drizzle-kit/bin.cjs'),
        'generate',
        '--dialect',
        'sqlite',
        '--schema',
        './src/db/schema',
        '--out',
        relative(REPOSITORY, history),
      ],
      { cwd: REPOSITORY, stdout: 'pipe', stderr: 'pipe' },
    )
    const [output, exitCode] = await Promise.all([new Response(kit.stdout).text(), kit.exited])
    expect(output).toContain('No schema changes')
    expect(exitCode).toBe(0)
    expect((await readdir(history)).toSorted()).toEqual((await readdir(MIGRATIONS_FOLDER)).toSorted())
  })

  test.each(tables.map((table) => [table.name, table] as const))(
    '%s has the columns and indexes that the code expects',
    async (name, table) => {
      await using database = await testDatabase()
      const columns = await database.client.execute(`SELECT name, "notnull" FROM pragma_table_xinfo('${name}')`)
      expect(columns.rows.map((row) => [row.name, row.notnull])).toEqual(
        table.columns.map((column) => [column.name, column.notNull ? 1 : 0]),
      )
      const indexes = await database.client.execute(`SELECT name FROM pragma_index_list('${name}') WHERE origin = 'c' ORDER BY name`)
      expect(indexes.rows.map((row) => row.name)).toEqual(table.indexes.map((index) => index.config.name).toSorted())
    },
  )

  /** Written by scans alone, a hundred thousand rows at a time: a check would cost each first scan a tenth of its time. */
  const uncheckedInScans = ['media_items.media_kind', 'media_items.thumbnail_kind', 'media_items.reading_direction']
  /** Copied from columns that are checked. */
  const uncheckedCopies = ['deletions.item_type', 'left_trash.item_type', 'left_trash.library_type']
  const unchecked = new Set([...uncheckedInScans, ...uncheckedCopies])

  const enumerated = tables.flatMap(({ name, columns }) =>
    columns.flatMap((column): [table: string, column: string, values: string[]][] =>
      column.enumValues?.length && !unchecked.has(`${name}.${column.name}`) ? [[name, column.name, column.enumValues]] : [],
    ),
  )

  test.each(enumerated)('%s.%s takes exactly the values that the code knows', async (table, column, values) => {
    await using database = await testDatabase()
    const { rows } = await database.client.execute({ sql: 'SELECT sql FROM sqlite_master WHERE name = ?', args: [table] })
    const definition = String(rows[0]?.sql)
    const list = new RegExp(`CHECK\\("?${column}"? IN \\(([^)]*)\\)\\)`).exec(definition)?.[1]?.split(', ')
    const comparisons = new RegExp(`CHECK\\((${column} = [^)]*)\\)`).exec(definition)?.[1]?.split(' OR ')
    const taken = list ?? comparisons?.map((comparison) => comparison.replace(`${column} = `, '')).toReversed()
    expect(taken).toEqual(values.map((value) => `'${value}'`))
  })

  test('a value that the code does not know is refused', async () => {
    await using database = await testDatabase()
    const insert = database.client.execute("INSERT INTO libraries (name, type, path) VALUES ('a', 'music', '/a')")
    await expect(insert).rejects.toMatchObject({ extendedCode: 'SQLITE_CONSTRAINT_CHECK' })
  })
})
