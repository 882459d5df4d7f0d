import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TemporaryFolder {
  path: string
  remove: () => Promise<void>
  [Symbol.asyncDispose]: () => Promise<void>
}

/** A new empty folder under the system's temporary folder; `await using` or `remove()` takes it away again. */
export const temporaryFolder = async (name: string): Promise<TemporaryFolder> => {
  const path = await mkdtemp(join(tmpdir(), `vitrine-${name}-`))
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true })
  return { path, remove, [Symbol.asyncDispose]: remove }
}
