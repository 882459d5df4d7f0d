/** A disk that hangs: whatever the system is asked about it is never answered. No file system that is there can be made to. */

import { mock } from 'bun:test'
import * as files from 'node:fs/promises'
import { tmpdir } from 'node:os'

export const HANGING_DISK = '/hanging-disk'

const { access, open } = files
const asked = { access: 0, open: 0 }

/** How often it was asked, while something runs that knows of such a disk, or of one that wakes up and answers each question so late. */
export const withHangingDisk = async (
  run: (asked: Readonly<Record<'access' | 'open', number>>) => Promise<void>,
  { answersAfterMs = Number.POSITIVE_INFINITY } = {},
): Promise<void> => {
  Object.assign(asked, { access: 0, open: 0 })
  const hanging = async <Result>(name: keyof typeof asked, path: unknown, ask: (path: string) => Promise<Result>): Promise<Result> => {
    if (!String(path).startsWith(HANGING_DISK)) return ask(String(path))
    asked[name] += 1
    if (answersAfterMs === Number.POSITIVE_INFINITY) return Promise.withResolvers<Result>().promise
    await Bun.sleep(answersAfterMs)
    return ask(tmpdir())
  }
  mock.module('node:fs/promises', () => ({
    ...files,
    access: (path: unknown, mode?: number) => hanging('access', path, (at) => access(at, mode)),
    open: (path: unknown, flags?: number, mode?: number) => hanging('open', path, (at) => open(at, flags, mode)),
  }))
  try {
    await run(asked)
  } finally {
    mock.module('node:fs/promises', () => files)
  }
}
