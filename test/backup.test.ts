import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { chmod, link, mkdir, readdir, readFile, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '@libsql/client/sqlite3'
import { migrate } from '../src/db/migrate.ts'
import { assertSoundDatabase } from '../src/db/snapshot.ts'
import { copyFreshIndex } from './support/fresh-index.ts'
import { createLegacyDatabase, typicalLegacy } from './support/legacy-database.ts'
import { AS_ORDINARY_USER, giveToOrdinaryUser, letOrdinaryUserPass } from './support/ordinary-user.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { openTestFile, silentLog, useWithNewerVersion } from './support/test-database.ts'
import { waitFor } from './support/test-server.ts'

const REPOSITORY = join(import.meta.dir, '..')
/** For what is to be met in the middle, and may be too quick for it. */
const MAX_TRIES = 5

interface Outcome {
  exitCode: number
  stdout: string
  stderr: string
}

const run = async (command: string, args: string[], env: Record<string, string> = {}, as: readonly string[] = []): Promise<Outcome> => {
  const child = Bun.spawn([...as, process.execPath, join(REPOSITORY, 'src/backup.ts'), command, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, exitCode] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
  return { exitCode, stdout, stderr }
}

/** On a disk of its own with these files and hardly any room, mounted at `disk` for this program alone; prints at last what lies there. */
const runOnFullDisk = async (disk: string, files: string[], args: string[]): Promise<Outcome> => {
  const script = `disk="$1"; mount -t tmpfs -o size=3m tmpfs "$disk" && cp ${files.map((file) => `'${file}'`).join(' ')} "$disk" || exit 9
    dd if=/dev/zero of="$disk/filler" bs=4k 2>/dev/null; shift; before=$(cat "$disk"/*.db | cksum); "$@"; code=$?
    [ "$before" = "$(cat "$disk"/*.db | cksum)" ] && ls "$disk" | grep -v -- '-\\(wal\\|shm\\)$'; exit $code`
  const child = Bun.spawn(
    ['unshare', '-Urm', 'sh', '-c', script, 'sh', disk, process.execPath, join(REPOSITORY, 'src/backup.ts'), ...args],
    {
      env: { PATH: process.env.PATH },
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  const [stdout, stderr, exitCode] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
  return { exitCode, stdout, stderr }
}

/** A server on `<folder>/data` that saves a setting and then closes, dies or stays. */
const serve = async (folder: string, setting: string, how: 'close' | 'kill' | 'stay') => {
  const [holder, file] = [join(import.meta.dir, 'support/database-holder.ts'), join(folder, 'data/vitrine.db')]
  if (!existsSync(file)) await copyFreshIndex(file)
  const child = Bun.spawn([process.execPath, holder, file, setting, how], { stdout: 'pipe', stderr: 'inherit' })
  await child.stdout.getReader().read()
  if (how !== 'stay') await child.exited
  return child
}

const settingIn = async (file: string): Promise<unknown> => {
  const handle = await openTestFile(file)
  const { rows } = await handle.client.execute("SELECT value FROM settings WHERE key = 'setting'")
  await handle.close()
  return rows[0]?.[0]
}

describe('a full disk is named in one line, and keeps what it has', () => {
  test('where the backup would go', async () => {
    await using folder = await temporaryFolder('backup')
    await serve(folder.path, 'one', 'close')
    const [older, disk] = [join(folder.path, 'a.db'), join(folder.path, 'disk')]
    await mkdir(disk)
    await run('backup', [older, '--data', join(folder.path, 'data')])
    const outcome = await runOnFullDisk(disk, [older], ['backup', join(disk, 'a.db'), '--data', join(folder.path, 'data')])
    expect(outcome).toEqual({
      exitCode: 1,
      stdout: 'a.db\nfiller\n',
      stderr: expect.stringMatching(/^.*a\.db cannot be written: SQLITE_(?:FULL|IOERR).*\n$/),
    })
  })

  test('where the database is that would be restored', async () => {
    await using folder = await temporaryFolder('backup')
    await serve(folder.path, 'one', 'close')
    const [backup, disk] = [join(folder.path, 'backup.db'), join(folder.path, 'disk')]
    await mkdir(disk)
    await run('backup', [backup, '--data', join(folder.path, 'data')])
    const outcome = await runOnFullDisk(disk, [join(folder.path, 'data/vitrine.db')], ['restore', backup, '--data', disk])
    expect(outcome).toEqual({
      exitCode: 1,
      stdout: 'filler\nvitrine.db\n',
      stderr: expect.stringMatching(/^.* cannot be written: SQLITE_(?:FULL|IOERR).*\n$/),
    })
  })
})

describe('bun run backup', () => {
  test.each([
    [[], 2, 'Usage'],
    [['a', 'b'], 2, 'Usage'],
    [['--port', '80'], 2, 'Usage'],
    [['a.db', '--data'], 2, '--data: needs a value'],
    [['a.db', '--data', '/no/such/folder'], 1, 'There is no database /no/such/folder/vitrine.db'],
  ])('%j ends with its reason', async (args, exitCode, reason) => {
    const outcome = await run('backup', args)
    expect([outcome.exitCode, outcome.stdout]).toEqual([exitCode, ''])
    expect(outcome.stderr).toContain(reason)
  })

  test('what the server alone is to know may be wrong, or half of it in a file `.env`', async () => {
    await using folder = await temporaryFolder('backup')
    await serve(folder.path, 'one', 'close')
    const [file, DATA_DIR] = [join(folder.path, 'a.db'), join(folder.path, 'data')]
    for (const command of ['backup', 'restore']) {
      const outcome = await run(command, [file], { DATA_DIR, ADMIN_PASSWORD: 'a long password', OCR_DATA_DIR: '/no/such/folder' })
      expect([command, outcome.exitCode, outcome.stderr]).toEqual([command, 0, ''])
    }
  })

  test('a database that somebody may not read is not said to be none, and a backup not to be damaged', async () => {
    await using folder = await temporaryFolder('backup')
    await serve(folder.path, 'one', 'close')
    letOrdinaryUserPass(folder.path)
    const [data, file] = [join(folder.path, 'data'), join(folder.path, 'a.db')]
    await run('backup', [file, '--data', data])
    await giveToOrdinaryUser(data)
    await chmod(file, 0)
    const restored = await run('restore', [file, '--data', data], {}, AS_ORDINARY_USER)
    expect([restored.exitCode, restored.stderr]).toEqual([1, expect.stringMatching(/^.*\/a\.db cannot be read: EACCES.*\.\n$/)])
    const closed = join(folder.path, 'closed')
    await mkdir(closed, { mode: 0 })
    const refused = await run('backup', [join(closed, 'b.db'), '--data', data], {}, AS_ORDINARY_USER)
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringMatching(/^.*\/closed\/b\.db cannot be written: EACCES.*\.\n$/)])
    await chmod(data, 0)
    const backedUp = await run('backup', [join(folder.path, 'b.db'), '--data', data], {}, AS_ORDINARY_USER)
    expect([backedUp.exitCode, backedUp.stderr]).toEqual([1, expect.stringMatching(/^.*\/vitrine\.db cannot be read: EACCES.*\.\n$/)])
    await chmod(data, 0o700)
  })

  test('a database on a server, and the database itself as the file, are refused', async () => {
    await using folder = await temporaryFolder('backup')
    await serve(folder.path, 'one', 'close')
    const remote = await run('backup', ['a.db'], { DATABASE_URL: 'http://localhost:1' })
    expect([remote.exitCode, remote.stderr]).toEqual([1, 'A database on a server is backed up and restored there.\n'])
    const itself = await run('backup', [join(folder.path, 'data/vitrine.db'), '--data', join(folder.path, 'data')])
    expect([itself.exitCode, itself.stderr.includes('is the database itself')]).toEqual([1, true])
  })

  test('a place where no file can be made is named, in one line', async () => {
    await using folder = await temporaryFolder('backup')
    await serve(folder.path, 'one', 'close')
    const data = join(folder.path, 'data')
    await mkdir(join(folder.path, 'a folder'))
    for (const name of ['no such folder/a.db', 'a folder']) {
      const file = join(folder.path, name)
      const outcome = await run('backup', [file, '--data', data])
      expect([outcome.exitCode, outcome.stdout]).toEqual([1, ''])
      expect(outcome.stderr).toStartWith(`${file} cannot be written: E`)
      expect(outcome.stderr.trim().split('\n')).toHaveLength(1)
    }
    expect((await readdir(folder.path)).sort()).toEqual(['a folder', 'data'])
  })

  test("a file that is no backup stays as it is: a film, the database of another server, another program's", async () => {
    await using folder = await temporaryFolder('backup')
    await serve(folder.path, 'one', 'close')
    await serve(join(folder.path, 'other'), 'theirs', 'close')
    const theirs = createClient({ url: pathToFileURL(join(folder.path, 'theirs.db')).href })
    await theirs.execute('CREATE TABLE photographs (id INTEGER PRIMARY KEY)')
    theirs.close()
    await writeFile(join(folder.path, 'film.mkv'), 'a film')
    for (const name of ['film.mkv', 'theirs.db', 'other/data/vitrine.db']) {
      const file = join(folder.path, name)
      const before = await readFile(file)
      const outcome = await run('backup', [file, '--data', join(folder.path, 'data')])
      const stderr = `${file} is there already and is no backup of Vitrine: choose another name.\n`
      expect(outcome).toEqual({ exitCode: 1, stdout: '', stderr })
      expect(await readFile(file)).toEqual(before)
    }
    expect((await readdir(folder.path)).toSorted()).toEqual(['data', 'film.mkv', 'other', 'theirs.db'])
  })

  test('a backup that is replaced is kept once, whoever writes to the same file every night; an empty file is not kept', async () => {
    await using folder = await temporaryFolder('backup')
    const [data, file] = [join(folder.path, 'data'), join(folder.path, 'night.db')]
    await writeFile(file, '')
    for (const night of ['one', 'two', 'three']) {
      await serve(folder.path, night, 'close')
      const { exitCode, stdout } = await run('backup', [file, '--data', data])
      const kept = night === 'one' ? '' : ` What was there before is ${file}.previous.`
      expect([exitCode, stdout]).toEqual([0, `${join(data, 'vitrine.db')} is backed up in ${file}.${kept}\n`])
    }
    expect((await readdir(folder.path)).toSorted()).toEqual(['data', 'night.db', 'night.db.previous'])
    expect([await settingIn(file), await settingIn(`${file}.previous`)]).toEqual(['three', 'two'])
  })

  test('a link is followed and stays one; one that leads nowhere is named, in one line', async () => {
    await using folder = await temporaryFolder('backup')
    const [data, disk, file] = [join(folder.path, 'data'), join(folder.path, 'disk'), join(folder.path, 'night.db')]
    await mkdir(disk)
    await symlink('disk/vitrine.db', file)
    await serve(folder.path, 'one', 'close')
    const outcome = await run('backup', [file, '--data', data])
    expect([outcome.exitCode, outcome.stdout]).toEqual([1, ''])
    expect(outcome.stderr).toStartWith(`${file} is a link to disk/vitrine.db, which cannot be followed: ENOENT`)
    expect(outcome.stderr.trim().split('\n')).toHaveLength(1)

    const real = join(disk, 'vitrine.db')
    await writeFile(real, '')
    for (const night of ['two', 'three']) {
      await serve(folder.path, night, 'close')
      const kept = night === 'two' ? '' : ` What was there before is ${real}.previous.`
      const { exitCode, stdout } = await run('backup', [file, '--data', data])
      expect([exitCode, stdout]).toEqual([0, `${join(data, 'vitrine.db')} is backed up in ${real}.${kept}\n`])
    }
    expect(await readlink(file)).toBe('disk/vitrine.db')
    expect((await readdir(folder.path)).toSorted()).toEqual(['data', 'disk', 'night.db'])
    expect((await readdir(disk)).toSorted()).toEqual(['vitrine.db', 'vitrine.db.previous'])
    expect([await settingIn(real), await settingIn(`${real}.previous`)]).toEqual(['three', 'two'])

    const itself = join(folder.path, 'itself.db')
    await symlink(join(data, 'vitrine.db'), itself)
    expect((await run('backup', [itself, '--data', data])).stderr).toContain('is the database itself')
  })

  test('what others have beside it stays', async () => {
    await using folder = await temporaryFolder('backup')
    const [data, file] = [join(folder.path, 'data'), join(folder.path, 'night.db')]
    const theirs = [`${file}.new`, `${file}.partial`, `${file}.new.partial`]
    for (const other of theirs) await writeFile(other, 'theirs')
    for (const night of ['one', 'two']) {
      await serve(folder.path, night, 'close')
      expect((await run('backup', [file, '--data', data])).exitCode).toBe(0)
    }
    for (const other of theirs) expect(await readFile(other, 'utf8')).toBe('theirs')
    expect([await settingIn(file), await settingIn(`${file}.previous`)]).toEqual(['two', 'one'])
  })

  test('one that was cut off once the last was kept is no obstacle, and leaves nothing', async () => {
    await using folder = await temporaryFolder('backup')
    const [data, file] = [join(folder.path, 'data'), join(folder.path, 'night.db')]
    await serve(folder.path, 'one', 'close')
    await run('backup', [file, '--data', data])
    await link(file, `${file}.previous`)
    await serve(folder.path, 'two', 'close')
    expect((await run('backup', [file, '--data', data])).exitCode).toBe(0)
    expect((await readdir(folder.path)).toSorted()).toEqual(['data', 'night.db', 'night.db.previous'])
    expect([await settingIn(file), await settingIn(`${file}.previous`)]).toEqual(['two', 'one'])
  })

  test('copies what is saved while the server runs', async () => {
    await using folder = await temporaryFolder('backup')
    const server = await serve(folder.path, 'while it runs', 'stay')
    const file = join(folder.path, 'copy.db')
    const outcome = await run('backup', [file, '--data', join(folder.path, 'data')])
    server.kill('SIGKILL')
    await server.exited
    expect([outcome.exitCode, outcome.stderr]).toEqual([0, ''])
    expect(await settingIn(file)).toBe('while it runs')
  })
})

describe('bun run restore', () => {
  const prepared = async (folder: string, how: 'close' | 'kill' = 'close') => {
    const data = join(folder, 'data')
    const backup = join(folder, 'backup.db')
    await serve(folder, 'old', 'close')
    await run('backup', [backup, '--data', data])
    await serve(folder, 'new', how)
    return { data, backup, database: join(data, 'vitrine.db') }
  }

  const keptIn = async (data: string): Promise<string[]> => (await readdir(data)).filter((name) => name.includes('.bak-before-restore-'))

  test.each([
    ['is cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2), 'is no sound backup'],
    ['is no database', () => Buffer.from('a shopping list'), 'is no sound backup'],
    ['is empty', () => Buffer.alloc(0), 'not one of Vitrine'],
  ])('a file that %s is refused, and the database stays', async (_what, damage, reason) => {
    await using folder = await temporaryFolder('restore')
    const { data, backup, database } = await prepared(folder.path)
    await writeFile(backup, damage(await readFile(backup)))
    const outcome = await run('restore', [backup, '--data', data])
    expect(outcome.exitCode).toBe(1)
    expect(outcome.stderr).toContain(reason)
    expect((await readdir(data)).filter((name) => !/-(?:wal|shm)$/.test(name))).toEqual(['vitrine.db'])
    expect(await settingIn(database)).toBe('new')
  })

  test('a link that stands for the database stays one, and what it leads to is restored', async () => {
    await using folder = await temporaryFolder('restore')
    const { data, backup, database } = await prepared(folder.path)
    const disk = join(folder.path, 'disk')
    await mkdir(disk)
    await rename(database, join(disk, 'vitrine.db'))
    await symlink('../disk/vitrine.db', database)
    expect((await run('restore', [backup, '--data', data])).exitCode).toBe(0)
    expect([await readlink(database), await settingIn(database)]).toEqual(['../disk/vitrine.db', 'old'])
    const [kept = ''] = await keptIn(disk)
    expect([await settingIn(join(disk, kept)), await keptIn(data)]).toEqual(['new', []])
  })

  test('a link that stands for no database yet stays one too; one into a folder that is not there is named', async () => {
    await using folder = await temporaryFolder('restore')
    const { data, backup, database } = await prepared(folder.path)
    await rm(database)
    await symlink('../disk/vitrine.db', database)
    const refused = await run('restore', [backup, '--data', data])
    expect([refused.exitCode, refused.stderr.split('\n').length]).toEqual([1, 2])
    expect(refused.stderr).toStartWith(`${database} is a link to ../disk/vitrine.db, which cannot be followed: ENOENT`)
    await mkdir(join(folder.path, 'disk'))
    expect((await run('restore', [backup, '--data', data])).exitCode).toBe(0)
    expect([await readlink(database), await settingIn(database)]).toEqual(['../disk/vitrine.db', 'old'])
  })

  test('is refused while a server runs on the data folder', async () => {
    await using folder = await temporaryFolder('restore')
    const { data, backup, database } = await prepared(folder.path)
    const server = await serve(folder.path, 'running', 'stay')
    const outcome = await run('restore', [backup, '--data', data])
    server.kill('SIGKILL')
    await server.exited
    expect([outcome.exitCode, outcome.stderr]).toEqual([1, 'The database is in use: stop the server first.\n'])
    expect(await keptIn(data)).toEqual([])
    expect(await settingIn(database)).toBe('running')
  })

  /**
   * Stops the restore in the middle of its copy, which takes long enough to be met there, and lets a server start meanwhile.
   * Answers how the restore ended, or nothing where it was through with its copy before it was met.
   */
  const serveDuring = async (folder: string, data: string, backup: string): Promise<number | undefined> => {
    const handle = await openTestFile(backup)
    await handle.client.execute('CREATE TABLE much AS SELECT zeroblob(60000000) AS x')
    await handle.close()
    const restore = Bun.spawn([process.execPath, join(REPOSITORY, 'src/backup.ts'), 'restore', backup, '--data', data], {
      stdout: 'ignore',
      stderr: 'inherit',
    })
    const isCopying = async (): Promise<boolean> => existsSync(data) && (await readdir(data)).some((name) => name.endsWith('.partial'))
    const hasBegun = async (): Promise<true | undefined> => (await isCopying()) || restore.exitCode !== null || undefined
    await waitFor(hasBegun, 60_000, () => 'The restore began no copy')
    restore.kill('SIGSTOP')
    if (!(await isCopying())) {
      restore.kill('SIGCONT')
      expect(await restore.exited).toBe(0)
      return undefined
    }
    const served = serve(folder, 'started meanwhile', 'close')
    await Bun.sleep(1000)
    restore.kill('SIGCONT')
    await served
    return restore.exited
  }

  /** Tries it in a folder of its own, and again in another one where the restore was too quick to be met. */
  const untilMet = async (meet: (folder: string) => Promise<number | undefined>, look: (folder: string) => Promise<void>) => {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      await using folder = await temporaryFolder('restore')
      const exitCode = await meet(folder.path)
      if (exitCode === undefined) continue
      expect(exitCode).toBe(0)
      return await look(folder.path)
    }
    throw new Error(`No restore in ${MAX_TRIES} was slow enough to be met`)
  }

  test('a server that starts meanwhile waits, and what it saves is in the restored database', () =>
    untilMet(
      async (folder) => {
        const { data, backup } = await prepared(folder)
        return serveDuring(folder, data, backup)
      },
      async (folder) => expect(await settingIn(join(folder, 'data/vitrine.db'))).toBe('started meanwhile'),
    ))

  test('so does one that starts where there was no database', () =>
    untilMet(
      async (folder) => {
        const { backup } = await prepared(folder)
        const fresh = join(folder, 'another')
        return serveDuring(fresh, join(fresh, 'data'), backup)
      },
      async (folder) => {
        const handle = await openTestFile(join(folder, 'another/data/vitrine.db'))
        const { rows } = await handle.client.execute('SELECT value, (SELECT length(x) FROM much) AS bytes FROM settings')
        expect({ ...rows[0] }).toEqual({ value: 'started meanwhile', bytes: 60_000_000 })
        await handle.close()
      },
    ))

  test('a log whose database is gone does not leak into the restored one', async () => {
    await using folder = await temporaryFolder('restore')
    const { data, backup, database } = await prepared(folder.path, 'kill')
    expect((await stat(`${database}-wal`)).size).toBeGreaterThan(0)
    await rm(database)
    const outcome = await run('restore', [backup, '--data', data])
    expect([outcome.exitCode, outcome.stderr]).toEqual([0, ''])
    expect(existsSync(`${database}-wal`)).toBe(false)
    expect(await settingIn(database)).toBe('old')
    await assertSoundDatabase(database)
  })

  test('a backup that cannot be used leaves no database where there was none', async () => {
    await using folder = await temporaryFolder('restore')
    const backup = join(folder.path, 'empty.db')
    await writeFile(backup, '')
    expect((await run('restore', [backup, '--data', join(folder.path, 'data')])).stderr).toContain('not one of Vitrine')
    expect(await readdir(join(folder.path, 'data'))).toEqual([])
  })

  test.each(['close', 'kill'] as const)('brings the backup back, and keeps all of what was there (last server: %s)', async (how) => {
    await using folder = await temporaryFolder('restore')
    const { data, backup, database } = await prepared(folder.path, how)
    const outcome = await run('restore', [backup, '--data', data])
    expect([outcome.exitCode, outcome.stderr]).toEqual([0, ''])
    const [kept = '', ...more] = await keptIn(data)
    expect(more).toEqual([])
    expect(outcome.stdout).toContain(join(data, kept))
    expect(await settingIn(join(data, kept))).toBe('new')
    expect(await settingIn(database)).toBe('old')
  })

  test('replaces a damaged database, whose log does not leak into the restored one', async () => {
    await using folder = await temporaryFolder('restore')
    const { data, backup, database } = await prepared(folder.path, 'kill')
    await writeFile(database, 'x'.repeat(9000))
    const outcome = await run('restore', [backup, '--data', data])
    expect([outcome.exitCode, outcome.stderr]).toEqual([0, ''])
    expect(await settingIn(database)).toBe('old')
    expect((await keptIn(data)).filter((name) => name.endsWith('Z'))).toHaveLength(1)
  })

  test('works into a data folder that is not there yet, and from an older version, which the next start migrates', async () => {
    await using folder = await temporaryFolder('restore')
    const backup = join(folder.path, 'oldest.db')
    await createLegacyDatabase(backup, typicalLegacy)
    const outcome = await run('restore', [backup, '--data', join(folder.path, 'fresh/data')])
    expect([outcome.exitCode, outcome.stderr]).toEqual([0, ''])
    const handle = await openTestFile(join(folder.path, 'fresh/data/vitrine.db'))
    await migrate(handle, silentLog)
    expect((await handle.client.execute('SELECT count(*) FROM media_items')).rows[0]?.[0]).toBe(typicalLegacy.media_items.length)
    await handle.close()
  })

  test('refuses the backup of a newer version, on which no server would start', async () => {
    await using folder = await temporaryFolder('restore')
    const { data, backup, database } = await prepared(folder.path)
    await useWithNewerVersion(backup)
    const outcome = await run('restore', [backup, '--data', data])
    expect([outcome.exitCode, outcome.stdout]).toEqual([1, ''])
    expect(outcome.stderr).toBe(`${backup} was made by a newer version of Vitrine.\n`)
    expect(await settingIn(database)).toBe('new')
    expect((await keptIn(data)).filter((name) => name.endsWith('Z'))).toEqual([])
  })

  test('works from a file that may only be read, and leaves no second copy of it', async () => {
    await using folder = await temporaryFolder('restore')
    const { data, backup, database } = await prepared(folder.path)
    letOrdinaryUserPass(folder.path)
    await giveToOrdinaryUser(data)
    await chmod(backup, 0o444)
    expect(await run('restore', [backup, '--data', data], {}, AS_ORDINARY_USER)).toMatchObject({ exitCode: 0, stderr: '' })
    expect((await readdir(data)).filter((name) => name.includes('restoring'))).toEqual([])
    expect([await settingIn(database), (await stat(database)).mode & 0o777]).toEqual(['old', 0o600])
  })

  test('a restore that was broken off leaves nothing that the next one trips over', async () => {
    await using folder = await temporaryFolder('restore')
    const { data, backup, database } = await prepared(folder.path)
    await writeFile(`${database}.restoring`, 'half')
    await writeFile(`${database}.restoring.partial`, 'half')
    expect((await run('restore', [backup, '--data', data])).exitCode).toBe(0)
    expect((await readdir(data)).filter((name) => name.includes('restoring'))).toEqual([])
  })
})
