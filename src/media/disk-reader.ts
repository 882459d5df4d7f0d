/**
 * Opens and reads the files of one disk. Synchronous calls are five times as fast as those that other threads make
 * (PERFORMANCE, E), but hold up everybody for as long as the disk takes: they are for one that has just answered at once.
 * One that has not been read from for a while may sleep.
 */

import { close, closeSync, constants, fstat, fstatSync, open, openSync, read, readSync, type Stats } from 'node:fs'
import { promisify } from 'node:util'
import { QUICK_MS } from './inside.ts'

const TRUSTED_FOR_MS = 1000
/** So many reads in a row must have been quick; some are off every disk, as the system reads ahead. */
const FIRST_TEST = 16
const FILE_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

const [openElsewhere, statElsewhere, closeElsewhere] = [promisify(open), promisify<number, Stats>(fstat), promisify(close)]

const readElsewhere = (fd: number, target: Uint8Array): Promise<number> =>
  new Promise((resolve, reject) => {
    read(fd, target, 0, target.length, null, (error, bytesRead) => (error ? reject(error) : resolve(bytesRead)))
  })

export interface DiskReader {
  /** The last name of the path is no link. */
  open(path: string): Promise<number>
  stat(fd: number): Promise<Stats>
  /** On from where the last one ended; answers how many bytes. */
  read(fd: number, target: Uint8Array): Promise<number>
  close(fd: number): Promise<void>
}

export const createDiskReader = (): DiskReader => {
  let quickReads = 0
  let readAt = 0
  /** Twice as many after each time that everybody had to wait. */
  let needed = FIRST_TEST

  /** What a file is called and how large it is may lie in memory while the disk sleeps: what tells is what was read. */
  const timed = async <Result>(here: () => Result, elsewhere: () => Promise<Result>, isRead = false): Promise<Result> => {
    const startedAt = performance.now()
    if (startedAt > readAt + TRUSTED_FOR_MS) quickReads = 0
    const isTrusted = quickReads >= needed
    const result = isTrusted ? here() : await elsewhere()
    const now = performance.now()
    const isQuick = now - startedAt < QUICK_MS
    if (isTrusted && !isQuick) needed *= 2
    if (!isQuick) quickReads = 0
    else if (isRead) quickReads += 1
    if (isRead) readAt = now
    return result
  }

  return {
    open: (path) =>
      timed(
        () => openSync(path, FILE_FLAGS),
        () => openElsewhere(path, FILE_FLAGS),
      ),
    stat: (fd) =>
      timed(
        () => fstatSync(fd),
        () => statElsewhere(fd),
      ),
    read: (fd, target) =>
      timed(
        () => readSync(fd, target, 0, target.length, null),
        () => readElsewhere(fd, target),
        true,
      ),
    close: (fd) =>
      timed(
        () => closeSync(fd),
        () => closeElsewhere(fd),
      ),
  }
}
