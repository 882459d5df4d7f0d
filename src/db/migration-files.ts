import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** An entry of drizzle's journal. */
export interface MigrationEntry {
  /** The file's name without `.sql`. */
  tag: string
  /** Milliseconds; what drizzle's table of migrations remembers a migration by. */
  when: number
}

export interface Migration extends MigrationEntry {
  /** One SQL statement each. */
  statements: string[]
  hash: string
}

export const MIGRATIONS_FOLDER = join(import.meta.dir, '../../drizzle')

const journalSchema = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number().int() })) })

/** The whole history, oldest first, without what is in its files. */
export const listMigrations = async (folder: string): Promise<MigrationEntry[]> =>
  journalSchema.parse(JSON.parse(await readFile(join(folder, 'meta/_journal.json'), 'utf8'))).entries

/** The whole history, oldest first. */
export const readMigrations = async (folder: string): Promise<Migration[]> => {
  // Hardly any start has to migrate.
  const { readMigrationFiles } = await import('drizzle-orm/migrator')
  const files = readMigrationFiles({ migrationsFolder: folder })
  return (await listMigrations(folder)).flatMap(({ tag, when }, index) => {
    const file = files[index]
    return file === undefined ? [] : [{ tag, when, statements: file.sql, hash: file.hash }]
  })
}
