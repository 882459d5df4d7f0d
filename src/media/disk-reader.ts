/**
 * Opens and reads the files of one disk. Synchronous calls are five times as fast as those that other threads make
 * (PERFORMANCE, E), but nothing else runs until the disk has answered. So they are made only while the disk answers at once,
 * and no longer once it has not been read from for a while: it may be asleep.
 */

import { close, closeSync, constants, fstat, fstatSync, open, openSync, read, readSync, type Stats } from 'node:fs'
import { promised } from '../domain/promised.ts'
import { QUICK_MS } from './inside.ts'

const TRUSTED_FOR_MS = 1000
/** So many reads in a row must have been quick before a disk is trusted: a few are quick on any disk, as the system reads ahead. */
const MIN_QUICK_READS = 16
const FILE_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

const openElsewhere = (path: string): Promise<number> => promised((done) => open(path, FILE_FLAGS, done))
const statElsewhere = (fd: number): Promise<Stats> => promised((done) => fstat(fd, done))
const readElsewhere = (fd: number, target: Uint8Array): Promise<number> =>
  promised((done) => read(fd, target, 0, target.length, null, done))
const closeElsewhere = (fd: number): Promise<void> => promised((done) => close(fd, (error) => done(error ?? null, undefined)))

export interface DiskReader {
  /** Rejects where the last name of the path is a link. */
  open(path: string): Promise<number>
  stat(fd: number): Promise<Stats>
  /** Reads on from where the last read ended; answers how many bytes, 0 at the end of the file. */
  read(fd: number, target: Uint8Array): Promise<number>
  close(fd: number): Promise<void>
}

export const createDiskReader = (): DiskReader => {
  let quickReads = 0
  let readAt = 0
  /** Doubled whenever a trusted disk was slow. */
  let needed = MIN_QUICK_READS

  /** Only reads count: a file's name and size may lie in memory while the disk sleeps. */
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
        () => openElsewhere(path),
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
