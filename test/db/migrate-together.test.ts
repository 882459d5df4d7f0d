import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrate } from '../../src/db/migrate.ts'
import { MIGRATIONS_FOLDER, readMigrations } from '../../src/db/migration-files.ts'
import { assertSoundDatabase } from '../../src/db/snapshot.ts'
import { createLegacyDatabase, typicalLegacy } from '../support/legacy-database.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openTestFile, silentLog } from '../support/test-database.ts'

/** Four processes at once, beside whatever else the machine does. */
setDefaultTimeout(30_000)

const countMigrations = async (file: string): Promise<unknown> => {
  const handle = await openTestFile(file)
  const { rows } = await handle.client.execute('SELECT count(*) FROM __drizzle_migrations')
  await handle.close()
  return rows[0]?.[0]
}

describe('a database file that another process uses', () => {
  test('is migrated as soon as the other one lets go of it', async () => {
    await using folder = await temporaryFolder('together')
    const file = join(folder.path, 'vitrine.db')
    const [other, handle] = [await openTestFile(file), await openTestFile(file)]
    await other.client.execute('CREATE TABLE theirs (x)')
    const held = await other.client.transaction('write')
    await held.execute('INSERT INTO theirs VALUES (1)')
    const migrated = migrate(handle, silentLog)
    await Bun.sleep(1000)
    await held.commit()
    await migrated
    await other.close()
    await handle.close()
    expect(await countMigrations(file)).toBe((await readMigrations(MIGRATIONS_FOLDER)).length)
  })

  test('is migrated once by servers that start at the same time, and each of their backups is whole', async () => {
    await using folder = await temporaryFolder('together')
    for (const round of [1, 2, 3]) {
      const file = join(folder.path, `${round}.db`)
      await createLegacyDatabase(file, typicalLegacy)
      const servers = [1, 2, 3, 4].map((name) =>
        Bun.spawn([process.execPath, join(import.meta.dir, '../support/database-holder.ts'), file, `${name}`, 'close'], {
          stdout: 'ignore',
          stderr: 'pipe',
        }),
      )
      const problems = await Promise.all(servers.map(async ({ stderr, exited }) => [await new Response(stderr).text(), await exited]))
      expect(problems).toEqual(servers.map(() => ['', 0]))
      expect(await countMigrations(file)).toBe((await readMigrations(MIGRATIONS_FOLDER)).length)
      const backups = (await readdir(folder.path)).filter((name) => name.startsWith(`${round}.db.bak`))
      expect(backups).toContain(`${round}.db.bak-0`)
      expect(backups.filter((name) => name.includes('new'))).toEqual([])
      for (const name of backups) {
        const backup = join(folder.path, name)
        await assertSoundDatabase(backup)
        const copy = await openTestFile(backup)
        expect((await copy.client.execute('SELECT count(*) FROM libraries')).rows[0]?.[0]).toBe(typicalLegacy.libraries.length)
        await copy.close()
      }
    }
  })

  test('the copy that a start was cut off from is taken away by the next, and not one that is under way', async () => {
    await using folder = await temporaryFolder('together')
    const file = join(folder.path, 'vitrine.db')
    await createLegacyDatabase(file, typicalLegacy)
    const ended = Bun.spawn([process.execPath, '--version'], { stdout: 'ignore' })
    await ended.exited
    const underWay = `vitrine.db.bak-new-${process.ppid}.partial`
    for (const name of [`vitrine.db.bak-new-${ended.pid}.partial`, 'vitrine.db.bak-new', underWay])
      await writeFile(join(folder.path, name), '')
    const handle = await openTestFile(file)
    await migrate(handle, silentLog)
    await handle.close()
    expect((await readdir(folder.path)).filter((name) => name.includes('bak')).toSorted()).toEqual(['vitrine.db.bak-0', underWay])
  })
})
