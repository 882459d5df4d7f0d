/** A disk that hangs: whatever the system is asked about it is never answered. No file system that is there can be made to. */

import { mock } from 'bun:test'
import * as files from 'node:fs/promises'

export const HANGING_DISK = '/hanging-disk'

const { access, open } = files
const asked = { access: 0, open: 0 }

/** How often it was asked, while something runs that knows of such a disk. */
export const withHangingDisk = async (run: (asked: Readonly<Record<'access' | 'open', number>>) => Promise<void>): Promise<void> => {
  Object.assign(asked, { access: 0, open: 0 })
  const hanging = <Result>(name: keyof typeof asked, path: unknown, ask: () => Promise<Result>): Promise<Result> => {
    if (!String(path).startsWith(HANGING_DISK)) return ask()
    asked[name] += 1
    return Promise.withResolvers<Result>().promise
  }
  mock.module('node:fs/promises', () => ({
    ...files,
    access: (...args: Parameters<typeof access>) => hanging('access', args[0], () => access(...args)),
    open: (...args: Parameters<typeof open>) => hanging('open', args[0], () => open(...args)),
  }))
  try {
    await run(asked)
  } finally {
    mock.module('node:fs/promises', () => files)
  }
}
