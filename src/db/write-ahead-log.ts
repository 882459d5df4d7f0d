/**
 * SQLite writes every page twice: into its log, and from there back into the file (https://www.sqlite.org/wal.html). By
 * itself it writes back after each thousand pages, within the commit that makes them so many, on the thread that commits:
 * a first scan would do so nine times, each time waiting for the disk twice. Here a connection of its own does it, on a
 * thread of libSQL's: most of it beside everything else, and the rest while nobody writes. It only ever asks for what is
 * PASSIVE, for which no reader waits and no writer.
 */

import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type Connection from 'libsql/promise'

/** A log of up to this is left alone, and kept: to write over what is there costs less than to make a file longer. */
export const KEPT_LOG_BYTES = 8 * 1024 ** 2
/** Pages: with so many SQLite writes back by itself after all, whatever has kept it from being done here. */
export const UNATTENDED_LOG_PAGES = 32_768

const LIMITS_BYTES = {
  /** A log larger than this is written back although rows of a scan are still coming. */
  large: 96 * 1024 ** 2,
  /** Scans make none that is larger: they wait until it is written back. */
  largest: 192 * 1024 ** 2,
}

/** For so long no rows of a scan have come when the log is written back. */
const QUIET_MS = 250

type Alone = (work: () => Promise<void>) => Promise<void>

export interface WriteAheadLog {
  /** `alone` does something while nobody writes. */
  attend(alone: Alone): void
  /** Something has been written. */
  grow(): void
  /** Rows of a scan have been written, for which nobody waits: more will follow, so that writing back can wait as well. */
  growMuch(): void
  /** Whether what can wait is to wait until it is empty. */
  isFull(): boolean
  /** Writes back what is in it, so that the next write begins it anew. */
  empty(): Promise<void>
  /** Nothing is written back any more once this has resolved. */
  close(): Promise<void>
}

export const createWriteAheadLog = (file: string, { large, largest } = LIMITS_BYTES): WriteAheadLog => {
  const path = `${file}-wal`
  let connection: Connection | undefined
  let emptying: Promise<void> | undefined
  let alone: Alone = (work) => work()
  let syncing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let grownMuchAt = -QUIET_MS
  let syncedBytes = 0
  let isClosed = false

  /**
   * Once SQLite has begun a log anew it is no larger than what is kept: so more than that is still to be written back. 0 where its
   * disk is away, which is for whoever writes to hear of: nobody would catch it here.
   */
  const bytes = (): number => {
    try {
      return statSync(path).size
    } catch {
      return 0
    }
  }

  const connect = async (): Promise<Connection> => {
    const { default: Connection } = await import('libsql/promise')
    return new Connection(file, {})
  }

  /** As far as readers let it. SQLite syncs the log before, and, where nothing has been written meanwhile, the file after. */
  const writeBack = async (): Promise<void> => {
    try {
      connection ??= await connect()
      await connection.exec('PRAGMA wal_checkpoint(PASSIVE)')
    } catch {
      // All is whole in the log, as where SQLite's own attempts fail; the next write leads to the next attempt.
    }
  }

  const empty = (): Promise<void> => {
    // Most of it beside all writes, and then what these have added meanwhile.
    emptying ??= writeBack()
      .then(() => (isClosed ? undefined : alone(writeBack)))
      .finally(() => {
        emptying = undefined
      })
    return emptying
  }

  const look = (): void => {
    timer = undefined
    const size = bytes()
    if (size <= KEPT_LOG_BYTES) return
    if (size > large || performance.now() - grownMuchAt >= QUIET_MS) void empty()
    else lookLater()
  }
  const lookLater = (): void => {
    if (isClosed) return
    timer = setTimeout(look, QUIET_MS)
    timer.unref()
  }

  /** By a descriptor of its own: SQLite has no locks on this file, which closing that would let go of. */
  const sync = async (): Promise<void> => {
    await using handle = await open(path, 'r')
    await handle.datasync()
  }

  /** The next commit that has to wait for the disk then finds little left to do. */
  const syncEarly = (): void => {
    const size = bytes()
    if (size < syncedBytes) syncedBytes = 0
    if (syncing || isClosed || size - syncedBytes < KEPT_LOG_BYTES) return
    syncedBytes = size
    // Whoever waits for the disk hears from SQLite what is wrong with it.
    syncing = sync()
      .catch(() => undefined)
      .finally(() => {
        syncing = undefined
      })
  }

  const grow = (): void => {
    if (timer === undefined) lookLater()
  }

  return {
    attend: (given) => {
      alone = given
    },
    grow,
    growMuch: () => {
      grownMuchAt = performance.now()
      syncEarly()
      grow()
    },
    isFull: () => bytes() > largest,
    empty,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await Promise.all([emptying, syncing])
      connection?.close()
    },
  }
}

/** Of a database elsewhere: its server sees to it. */
export const NO_LOG: WriteAheadLog = {
  attend: () => undefined,
  grow: () => undefined,
  growMuch: () => undefined,
  isFull: () => false,
  empty: () => Promise.resolve(),
  close: () => Promise.resolve(),
}
