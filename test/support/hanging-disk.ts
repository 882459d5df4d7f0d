/** A disk that hangs: whatever the system is asked about it is never answered. No file system that is there can be made to. */

import { mock } from 'bun:test'
import * as files from 'node:fs/promises'

export const HANGING_DISK = '/hanging-disk'

const MODULE = 'node:fs/promises'
/** A copy: the module itself becomes what takes its place. */
const own = { ...files }

const isOnIt = (path: unknown): boolean => String(path).startsWith(HANGING_DISK)

/**
 * Runs something while such a disk is there, and hands it how often that is asked. `wakesAfterMs`: one that sleeps, and tells so late
 * that it can be read.
 */
export const withHangingDisk = async (
  run: (asked: Readonly<Record<'access' | 'open', number>>) => Promise<void>,
  { wakesAfterMs }: { wakesAfterMs?: number } = {},
): Promise<void> => {
  const asked = { access: 0, open: 0 }
  const { promise: never } = Promise.withResolvers<never>()
  const access: typeof own.access = (...args) => {
    if (!isOnIt(args[0])) return own.access(...args)
    asked.access += 1
    return wakesAfterMs === undefined ? never : Bun.sleep(wakesAfterMs)
  }
  const open: typeof own.open = (...args) => {
    if (!isOnIt(args[0])) return own.open(...args)
    asked.open += 1
    return never
  }
  mock.module(MODULE, () => ({ ...own, access, open }))
  try {
    await run(asked)
  } finally {
    mock.module(MODULE, () => own)
  }
}
