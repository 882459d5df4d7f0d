/**
 * Files that can be made again, up to a number of bytes; the ones that were not asked for the longest go first. Its order
 * outlives a restart only roughly: by the files' times.
 */

import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** `<item>-<version>-<page>-<width>.webp` (jobs/page-reader.ts), or one that is being written; anything else is not ours to remove. */
const NAME = /^(?:\d+-.+-\d+\.webp|\.\d+-\d+\.tmp)$/

interface PageCache {
  /** Undefined where it is not kept. */
  get(name: string): Promise<Uint8Array | undefined>
  keep(name: string, bytes: Uint8Array): Promise<void>
}

export const createPageCache = (folder: string, maxBytes: number): PageCache => {
  /** Sizes by name, the least lately used first. */
  const sizes = new Map<string, number>()
  let total = 0
  let temporary = 0
  let loaded: Promise<void> | undefined

  const forget = (name: string): void => {
    total -= sizes.get(name) ?? 0
    sizes.delete(name)
  }
  const remember = (name: string, size: number): void => {
    forget(name)
    sizes.set(name, size)
    total += size
  }

  const load = async (): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const names = (await readdir(folder)).filter((name) => NAME.test(name))
    const files = await Promise.all(names.map(async (name) => ({ name, info: await stat(join(folder, name)) })))
    // A power cut may leave the name of a file without its bytes.
    const whole = files.filter(({ info }) => info.size > 0)
    for (const { name, info } of whole.sort((a, b) => a.info.mtimeMs - b.info.mtimeMs)) remember(name, info.size)
  }

  const makeRoom = async (): Promise<void> => {
    for (const name of sizes.keys()) {
      if (total <= maxBytes) return
      forget(name)
      await rm(join(folder, name), { force: true })
    }
  }

  const ready = (): Promise<void> => {
    loaded ??= load().catch((error: unknown) => {
      // A disk that was full has room again some day.
      loaded = undefined
      throw error
    })
    return loaded
  }

  return {
    get: async (name) => {
      const size = await ready().then(
        () => sizes.get(name),
        () => undefined,
      )
      if (size === undefined) return undefined
      remember(name, size)
      return readFile(join(folder, name)).catch(() => {
        // Somebody has emptied the folder.
        forget(name)
        return undefined
      })
    },
    keep: async (name, bytes) => {
      await ready()
      temporary += 1
      const unfinished = join(folder, `.${process.pid}-${temporary}.tmp`)
      try {
        await writeFile(unfinished, bytes)
        await rename(unfinished, join(folder, name))
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
      remember(name, bytes.length)
      await makeRoom()
    },
  }
}
