import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { LIBRARY_TYPES, type LibraryType } from '../../src/domain/item-type.ts'
import { gameJobs } from './demo-collection/games.ts'
import { mangaJobs } from './demo-collection/manga.ts'
import { mixedJobs } from './demo-collection/mixed.ts'
import { movieJobs } from './demo-collection/movies.ts'
import { type DemoSize, type Job, SCALES, type Scale } from './demo-collection/scale.ts'
import { tvJobs } from './demo-collection/tv.ts'
import { forEachAtOnce } from './program.ts'

/** Another number, and what older versions left in the temporary folder is not used any more. */
const VERSION = 5
const JOBS_AT_ONCE = 2

const JOBS: Record<LibraryType, (root: string, scale: Scale) => Job[]> = {
  games: gameJobs,
  movies: movieJobs,
  tv: tvJobs,
  manga: mangaJobs,
  mixed: mixedJobs,
}

export interface DemoCollection {
  root: string
  /** The library folders by type: `<root>/games` and so on. */
  libraries: Record<LibraryType, string>
}

const collectionAt = (root: string): DemoCollection => ({
  root,
  libraries: {
    games: join(root, 'games'),
    movies: join(root, 'movies'),
    tv: join(root, 'tv'),
    manga: join(root, 'manga'),
    mixed: join(root, 'mixed'),
  },
})

const make = async (root: string, size: DemoSize): Promise<void> => {
  const { libraries } = collectionAt(root)
  const jobs = LIBRARY_TYPES.flatMap((type) => JOBS[type](libraries[type], SCALES[size]))
  await forEachAtOnce(JOBS_AT_ONCE, jobs, (job) => job())
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    // No such process, or somebody else's by now.
    return false
  }
}

/** Makes the collection beside its place and moves it there whole, so that a cut-off run leaves nothing half made. */
const makeOnce = async (root: string, size: DemoSize): Promise<void> => {
  if (existsSync(root)) return
  await mkdir(dirname(root), { recursive: true })
  const unfinished = `${root}.making-${process.pid}`
  for (const leftOver of await readdir(dirname(root))) {
    const maker = /\.making-(?<pid>\d+)$/.exec(leftOver)?.groups?.pid
    if (leftOver.startsWith(basename(root)) && maker !== undefined && !isRunning(Number(maker))) {
      await rm(join(dirname(root), leftOver), { recursive: true, force: true })
    }
  }
  await mkdir(unfinished)
  try {
    await make(unfinished, size)
    await rename(unfinished, root).catch((error: unknown) => {
      // Another run was faster; its collection is as good.
      if (!existsSync(root)) throw error
    })
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** The small collection, made once on this machine. Shared by every test: nobody may change a file in it. */
const sharedDemoCollection = async (): Promise<DemoCollection> => {
  const root = join(tmpdir(), `vitrine-demo-small-${VERSION}-${process.getuid?.() ?? 0}`)
  await makeOnce(root, 'small')
  return collectionAt(root)
}

/**
 * A household's collection in `root`, which must not exist yet or hold an earlier one: folders `games`, `movies`,
 * `tv`, `manga` and `mixed`. `small` (some 150 files of a few seconds or kilobytes) is copied from the machine's
 * shared one, times and links included; `household` is made on the spot in about a minute.
 */
export const makeDemoCollection = async (root: string, { size }: { size: DemoSize }): Promise<DemoCollection> => {
  if (size === 'household') await makeOnce(root, size)
  else if (!existsSync(root))
    await cp((await sharedDemoCollection()).root, root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  return collectionAt(root)
}
