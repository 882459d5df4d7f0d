/** Whether a library's folder is what it was: the check that stands before anything is called missing. */

import { realpath, stat, statfs } from 'node:fs/promises'
import { untilAborted } from '../domain/until-aborted.ts'
import { answerOf } from '../media/folder-probe.ts'
import { keepsInodeNumbers } from '../scan/inode-numbers.ts'

/** The root cannot be read, or is not the folder that it was: the index stays as it is. */
export class RootUnavailable extends Error {}

interface Root {
  /** Resolved, for the scanner. */
  path: string
  /** Throws `RootUnavailable` unless the same folder on the same device still lies there. */
  assertUnchanged(): Promise<void>
}

interface Seen {
  path: string
  device: number
  /** Null where the file system may give the same folder another one. */
  inode: number | null
}

const look = async (path: string): Promise<Seen> => {
  await answerOf(path)
  try {
    const real = await realpath(path)
    const [info, { type }] = await Promise.all([stat(real), statfs(real)])
    if (!info.isDirectory()) throw new RootUnavailable(`${path} is no folder.`)
    return { path: real, device: info.dev, inode: keepsInodeNumbers(type, info.birthtimeMs) ? info.ino : null }
  } catch (error) {
    if (error instanceof RootUnavailable) throw error
    throw new RootUnavailable(`${path} cannot be opened.`, { cause: error })
  }
}

/**
 * `realPath`: where the path led when the library was made; null in rows of older databases. Throws `RootUnavailable`, and
 * the reason of `signal`, which ends the waiting for a disk that hangs.
 */
export const probeRoot = async (
  { path, realPath }: { path: string; realPath: string | null },
  signal: AbortSignal,
  ask = look,
): Promise<Root> => {
  const before = await untilAborted(ask(path), signal)
  if (realPath !== null && before.path !== realPath) throw new RootUnavailable(`${path} leads somewhere else than it did.`)
  return {
    path: before.path,
    assertUnchanged: async () => {
      const now = await untilAborted(ask(path), signal)
      if (now.path !== before.path || now.device !== before.device || now.inode !== before.inode) {
        throw new RootUnavailable(`${path} changed while it was scanned.`)
      }
    },
  }
}
