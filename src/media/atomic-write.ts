/**
 * The only way to write a file into a library. A reader sees the old file or the new one, never half of one; a full disk
 * leaves the old one as it was; a link in the place of the file is replaced and never followed (SECURITY, S12).
 */

import type { BigIntStats } from 'node:fs'
import { constants, copyFile, type FileHandle, link, lstat, open, readdir, readlink, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isTemporaryName, temporaryName } from '../domain/temporary-name.ts'
import { errorCode } from '../domain/thrown-error.ts'

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
/** Less the umask: other programs of the household read covers too. */
const MODE = 0o666

/** Milliseconds. No write takes so long. */
const LEFT_BEHIND_AFTER_MS = 60 * 60 * 1000

/** Removes what a crash left half written. What cannot be looked at or removed is in nobody's way. */
export const removeLeftBehind = async (folder: string): Promise<void> => {
  for (const name of (await readdir(folder).catch(() => [])).filter(isTemporaryName)) {
    const file = join(folder, name)
    const seen = await lstat(file).catch(() => undefined)
    // A renamed file keeps the time of its content; that of its name is new.
    if (seen && seen.ctimeMs < Date.now() - LEFT_BEHIND_AFTER_MS) await rm(file, { force: true }).catch(() => undefined)
  }
}

/** What stays is left behind, and goes with what a crash leaves. */
const removeQuietly = (file: string): Promise<void> => rm(file, { force: true }).catch(() => undefined)

/** A system may write less than it was asked to. */
export const writeChunk = async (handle: FileHandle, chunk: Uint8Array): Promise<void> => {
  for (let written = 0; written < chunk.length; ) {
    const { bytesWritten } = await handle.write(chunk, written, chunk.length - written)
    written += bytesWritten
  }
}

const fill = async (file: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> => {
  const handle = await open(file, NEW_FILE, MODE)
  try {
    if (content instanceof Uint8Array) await writeChunk(handle, content)
    else for await (const chunk of content) await writeChunk(handle, chunk)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Network and FAT file systems refuse to sync a folder; what they promise is theirs. */
const NO_FOLDER_SYNC: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EACCES', 'EBADF', 'EISDIR'])
/** EIO: rclone says no more. Where a disk fails, what is tried then does so as well. */
const NO_HARD_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EIO'])

/** Makes the names in a folder survive a power cut, where its file system can. */
export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    await handle.sync()
  } catch (error) {
    if (!NO_FOLDER_SYNC.has(errorCode(error))) throw error
  } finally {
    await handle.close()
  }
}

/** Gives the finished file its name where that is free: by a hard link, or, where there are none, by taking the name first. */
const claimName = async (temporary: string, file: string): Promise<void> => {
  try {
    await link(temporary, file)
    await removeQuietly(temporary)
  } catch (error) {
    if (!NO_HARD_LINKS.has(errorCode(error))) throw error
    await (await open(file, NEW_FILE, MODE)).close()
    await rename(temporary, file).catch(async (cause: unknown) => {
      await rm(file, { force: true })
      throw cause
    })
  }
}

/** Gives a finished temporary file a name that is free, and makes that last. */
const placeNew = async (temporary: string, file: string): Promise<void> => {
  await claimName(temporary, file)
  try {
    await syncFolder(dirname(file))
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}

const findPresent = async (file: string): Promise<BigIntStats | undefined> => {
  try {
    return await lstat(file, { bigint: true })
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Whether this file, and no other, is seen to have the name. */
const isNamed = async (file: string, { ino, dev }: BigIntStats): Promise<boolean> => {
  const seen = await findPresent(file).catch(() => undefined)
  return seen?.ino === ino && seen.dev === dev
}

/** As `rename`. What has happened is no failure: over a network the answer may get lost, and what is asked again fails. */
const renameTo = async (from: string, to: string): Promise<void> => {
  const moved = await lstat(from, { bigint: true })
  await rename(from, to).catch(async (error: unknown) => {
    if (!(await isNamed(to, moved))) throw error
  })
}

/** Another name for what has this one: a link, or where there may be none a copy. */
const nameTwice = async (file: string, second: string, isLink: boolean): Promise<void> => {
  try {
    await link(file, second)
  } catch (error) {
    if (!NO_HARD_LINKS.has(errorCode(error))) throw error
    await (isLink ? symlink(await readlink(file), second) : copyFile(file, second, constants.COPYFILE_EXCL))
  }
}

/** Keeps what a rename is about to replace under another name; undefined where there is nothing, or what no file can replace. */
const keepPresent = async (file: string, present: BigIntStats | undefined): Promise<string | undefined> => {
  if (!present || present.isDirectory()) return undefined
  const kept = join(dirname(file), temporaryName())
  try {
    await nameTwice(file, kept, present.isSymbolicLink())
    return kept
  } catch (error) {
    await rm(kept, { force: true })
    throw error
  }
}

/** The content in a new file of this folder, for as long as `work` takes; nothing is left of it then but what `work` renamed. */
const withTemporary = async <T>(
  folder: string,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  work: (temporary: string) => Promise<T>,
): Promise<T> => {
  const temporary = join(folder, temporaryName())
  await removeLeftBehind(folder)
  try {
    await fill(temporary, content)
    return await work(temporary)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/**
 * Writes a whole file: into a new one beside it, flushed to the disk, then renamed; and then does `work`, which enters it
 * elsewhere. `file` is absolute and its folder exists; in a library the folder is `stablePath` of `openFolderInside`, so that
 * it cannot be exchanged meanwhile. Throws what the file system or `work` throws; what had the name before has it again then,
 * and nothing else is left behind. What a crash left behind goes with the next write to the folder. One at a time for each file.
 */
export const writeAtomic = <T>(file: string, content: Uint8Array | AsyncIterable<Uint8Array>, work: () => Promise<T>): Promise<T> =>
  withTemporary(dirname(file), content, async (temporary) => {
    const present = await findPresent(file)
    const kept = await keepPresent(file, present)
    let isPlaced = false
    try {
      await renameTo(temporary, file)
      isPlaced = true
      await syncFolder(dirname(file))
      const done = await work()
      if (kept !== undefined) await removeQuietly(kept)
      return done
    } catch (error) {
      if (isPlaced) await (kept === undefined ? rm(file, { force: true }) : renameTo(kept, file))
      // Where nobody can tell what has the name now, this may be the only one.
      else if (kept !== undefined && present && (await isNamed(file, present))) await removeQuietly(kept)
      throw error
    }
  })

/** Takes a file away and then does `work`, which forgets it elsewhere. Where that fails, the file is back. */
export const removeAtomic = async (file: string, work: () => Promise<void>): Promise<void> => {
  const present = await findPresent(file)
  if (!present) return work()
  if (present.isDirectory()) throw Object.assign(new Error('A folder has the name of the file.'), { code: 'EISDIR' })
  const aside = join(dirname(file), temporaryName())
  await renameTo(file, aside)
  try {
    await work()
  } catch (error) {
    await renameTo(aside, file)
    throw error
  }
  await removeQuietly(aside)
}

/**
 * As `writeAtomic`, alone, under the first of these names that nothing has yet; answers that name. `folder` is absolute.
 * Throws also where all names are taken.
 */
export const writeUnderFreeName = (folder: string, names: Iterable<string>, content: Uint8Array): Promise<string> =>
  withTemporary(folder, content, async (temporary) => {
    for (const name of names) {
      const isTaken = await placeNew(temporary, join(folder, name)).then(
        () => false,
        (error: unknown) => {
          if (errorCode(error) === 'EEXIST') return true
          throw error
        },
      )
      if (!isTaken) return name
    }
    throw new Error('All names are taken.')
  })
