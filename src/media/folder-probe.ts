/** Whether folders can be read, asked so that a disk which hangs holds nobody up: the system may take for ever to answer for it. */

import { access, constants } from 'node:fs/promises'

const LIMIT_MS = 2000

/** What `work` gives, or undefined where it takes longer; an answer that comes later is nobody's. */
export const inTime = async <T>(work: Promise<T>, limitMs: number): Promise<T | undefined> => {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(late.resolve, limitMs)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

const look = async (path: string): Promise<boolean> =>
  access(path, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  )

/**
 * Asks once at a time for each folder, as every question that hangs keeps a thread. What is late counts as away, at once for
 * whoever asks meanwhile; once it has answered it is asked anew.
 */
export const createFolderProbe = (
  ask: (path: string) => Promise<boolean> = look,
  limitMs = LIMIT_MS,
): ((path: string) => Promise<boolean>) => {
  const asked = new Map<string, Promise<boolean>>()
  const begin = (path: string): Promise<boolean> => {
    const answer = ask(path).finally(() => asked.delete(path))
    const known = inTime(answer, limitMs).then((isReadable) => isReadable ?? false)
    asked.set(path, known)
    return known
  }
  return (path) => asked.get(path) ?? begin(path)
}

export const isReadable = createFolderProbe()
