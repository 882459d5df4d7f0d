import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const CACHE = join(tmpdir(), 'vitrine-bench')

/**
 * A folder that is made once and kept between runs; `version` changes with what is in it, and other versions go. A run
 * that is killed in the middle leaves nothing that the next one would take for finished.
 */
export const cachedFolder = async (name: string, version: string, make: (path: string) => Promise<void>): Promise<string> => {
  const path = join(CACHE, `${name}.${version}`)
  if (existsSync(path)) return path
  await mkdir(CACHE, { recursive: true })
  const stale = (await readdir(CACHE)).filter((entry) => entry.startsWith(`${name}.`))
  for (const entry of stale) await rm(join(CACHE, entry), { recursive: true, force: true })
  const making = `${path}.making`
  await mkdir(making)
  process.stderr.write(`Making ${path}, once.\n`)
  await make(making)
  await rename(making, path)
  return path
}
