import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const CACHE = join(tmpdir(), 'vitrine-bench')

/**
 * A folder that is made once and kept between runs; `name` changes with what is in it. A run that is killed in the
 * middle leaves nothing that the next one would take for finished.
 */
export const cachedFolder = async (name: string, make: (path: string) => Promise<void>): Promise<string> => {
  const path = join(CACHE, name)
  if (existsSync(path)) return path
  const making = `${path}.making`
  await rm(making, { recursive: true, force: true })
  await mkdir(making, { recursive: true })
  process.stderr.write(`Making ${path}, once.\n`)
  await make(making)
  await rename(making, path)
  return path
}
