import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { z } from 'zod'

export interface Migration {
  /** The file's name without `.sql`. */
  tag: string
  /** One SQL statement each. */
  statements: string[]
  hash: string
  /** Milliseconds; what drizzle's table of migrations remembers a migration by. */
  when: number
}

export const MIGRATIONS_FOLDER = join(import.meta.dir, '../../drizzle')

const journalSchema = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number().int() })) })

/** The whole history, oldest first. */
export const readMigrations = async (folder: string): Promise<Migration[]> => {
  const { entries } = journalSchema.parse(JSON.parse(await readFile(join(folder, 'meta/_journal.json'), 'utf8')))
  const files = readMigrationFiles({ migrationsFolder: folder })
  return entries.flatMap(({ tag, when }, index) => {
    const file = files[index]
    return file === undefined ? [] : [{ tag, when, statements: file.sql, hash: file.hash }]
  })
}
