/**
 * A whole library, unit by unit: read, compared with what the last scan saw, and made into items where it differs.
 * A generator, so that whoever runs it decides when the next unit is read: between two steps a thread can answer
 * messages and wait for its reader.
 */

import type { LibraryType } from '../domain/item-type.ts'
import { isVideoName } from '../domain/media-file.ts'
import type { ScannedItem, ScannedUnit, ScanWarning } from '../domain/scanned-item.ts'
import { errorCode } from '../domain/thrown-error.ts'
import { keptInodeOf, UnitHash } from './entry-hash.ts'
import type { FileEntry, FolderEntry, Warn } from './folder-tree.ts'
import { isLooseGame, readGames } from './games.ts'
import { isMangaArchiveName, readManga } from './manga.ts'
import { readMixed } from './mixed.ts'
import { isLooseMovie, readMovies } from './movies.ts'
import { readSeries } from './tv.ts'
import { createWalker, type Listing, type Place, type Walker } from './walk.ts'

interface ScanInput {
  libraryType: LibraryType
  /** Absolute, resolved. */
  root: string
  /** The folders to look through, none below another; null is everything. Of the other types only top-level folders, which are their units. */
  paths: readonly string[] | null
  /** Signature by unit path. */
  knownSignatures: Readonly<Record<string, string>>
  /** A batch is handed over when it has this many items, or units. */
  batchSize: number
}

export interface ScanBatch {
  units: ScannedUnit[]
  unchanged: string[]
  warnings: ScanWarning[]
  /** Items found so far, those of unchanged units included. */
  foundItems: number
}

interface ScanSummary {
  rootIsEmpty: boolean
  unreadable: string[]
  /** Folders that hold the data of a server. */
  ownData: string[]
  foundItems: number
}

/** The root cannot be looked at, or is another one than at the start: nothing may be concluded from this scan. */
export class RootUnavailableError extends Error {
  override readonly name = 'RootUnavailableError'
}

interface TypeRules {
  read: (folder: FolderEntry, warn: Warn) => ScannedItem[]
  /** Files (and bundles) in the root that look like an item which misses its folder. */
  isLoose: (name: string) => boolean
  looseMessage: string
}

const RULES: Readonly<Record<Exclude<LibraryType, 'mixed'>, TypeRules>> = {
  games: { read: readGames, isLoose: isLooseGame, looseMessage: 'A game needs a folder of its own. Move this into one.' },
  movies: { read: readMovies, isLoose: isLooseMovie, looseMessage: 'A film needs a folder of its own. Move this into one.' },
  tv: { read: readSeries, isLoose: isVideoName, looseMessage: "Episodes need their series' folder. Move this into one." },
  manga: { read: readManga, isLoose: isMangaArchiveName, looseMessage: "Volumes need their series' folder. Move this into one." },
}

/**
 * A signature says how many items its unit has, and by a final "!" that looking at it gave warnings: an unchanged unit
 * can be counted, and warned about again, without anything being stored for that.
 */
const HAS_WARNINGS = '!'
const makeSignature = (hash: string, itemCount: number, hasWarnings: boolean): string =>
  `${hash}.${itemCount}${hasWarnings ? HAS_WARNINGS : ''}`
const matchesHash = (signature: string | undefined, hash: string): signature is string => signature?.startsWith(`${hash}.`) ?? false
const itemCountOf = (signature: string): number => Number.parseInt(signature.slice(signature.indexOf('.') + 1), 10)

/** Items of one unit with the same key would be one row; the first stays. Only a folder named like a `#` segment can do this. */
const withoutDoubles = (items: ScannedItem[]): ScannedItem[] => {
  const keys = new Set<string>()
  return items.filter(({ itemType, path }) => {
    const key = `${itemType}:${path}`
    return !keys.has(key) && keys.add(key)
  })
}

class Scan {
  readonly unreadable: string[] = []
  readonly ownData: string[] = []
  readonly #input: ScanInput
  readonly #hash = new UnitHash()
  readonly #walker: Walker
  #batch: ScanBatch = { units: [], unchanged: [], warnings: [], foundItems: 0 }
  #batchItems = 0
  foundItems = 0

  constructor(input: ScanInput) {
    this.#input = input
    this.#walker = createWalker(input.root, input.libraryType, {
      warn: this.#warn,
      unreadable: (path) => this.unreadable.push(path),
    })
  }

  readonly #warn: Warn = (path, code, message) => {
    this.#batch.warnings.push({ path, code, message })
    if (code === 'own_data') this.ownData.push(path)
  }

  root(): Place {
    try {
      return this.#walker.rootPlace()
    } catch (error) {
      throw new RootUnavailableError(`The library folder cannot be read (${errorCode(error) || 'UNKNOWN'}).`)
    }
  }

  /** The root's own entries; undefined where the root is hidden by its own `.ignore`. */
  listRoot(place: Place): Listing | undefined {
    const listing = this.#walker.list(place)
    if (!listing && this.unreadable.includes('')) {
      throw new RootUnavailableError(this.#batch.warnings[0]?.message ?? 'The library folder cannot be read.')
    }
    return listing
  }

  /** Takes in one unit whose entries were added to the hash. `failuresBefore`: how much was unreadable before it was read. */
  #addUnit(path: string, failuresBefore: number, read: () => ScannedItem[]): void {
    const hash = this.#hash.take()
    const isComplete = this.unreadable.length === failuresBefore
    const known = Object.hasOwn(this.#input.knownSignatures, path) ? this.#input.knownSignatures[path] : undefined
    if (isComplete && matchesHash(known, hash)) {
      // Only for its warnings; they belong to this scan as much as to the one before.
      if (known.endsWith(HAS_WARNINGS)) read()
      this.#batch.unchanged.push(path)
      this.foundItems += itemCountOf(known)
      return
    }
    const warningsBefore = this.#batch.warnings.length
    const items = read()
    const signature = isComplete ? makeSignature(hash, items.length, this.#batch.warnings.length > warningsBefore) : null
    this.#batch.units.push({ path, signature, items })
    this.#batchItems += items.length
    this.foundItems += items.length
  }

  addTree(place: Place, { read }: TypeRules): void {
    const failuresBefore = this.unreadable.length
    const folder = this.#walker.readTree(place)
    if (!folder) return
    this.#hash.addFolder(folder)
    this.#addUnit(folder.path, failuresBefore, () => withoutDoubles(read(folder, this.#warn)))
  }

  /** The folder at this path below the root, as the folders above it let it be seen; undefined where there is none. */
  find(path: string, { folders }: Listing): Place | undefined {
    const [name = '', ...rest] = path.split('/')
    const first = folders.find((folder) => folder.name === name)
    return rest.reduce<Place | undefined>((place, next) => {
      const listing = place && this.#walker.list(place)
      return listing?.folders.find((folder) => folder.name === next)
    }, first)
  }

  warnOfLoose(entries: readonly FileEntry[], { isLoose, looseMessage }: TypeRules): void {
    for (const { name, path } of entries) if (isLoose(name)) this.#warn(path, 'loose_file', looseMessage)
  }

  /** One folder's own files; answers the folders below it. `listing` is given for the root, which is read already. */
  addFolder(place: Place, listing?: Listing): Place[] {
    const failuresBefore = this.unreadable.length
    const { files, folders } = listing ?? this.#walker.list(place) ?? { files: [], folders: [] }
    if (files.length > 0) {
      this.#hash.addFiles(files)
      this.#addUnit(place.path, failuresBefore, () => readMixed(files))
    }
    return folders
  }

  takeBatch(isLast: boolean): ScanBatch | undefined {
    const { units, unchanged, warnings } = this.#batch
    const isFull = this.#batchItems >= this.#input.batchSize || units.length + unchanged.length >= this.#input.batchSize
    const isEmpty = units.length + unchanged.length + warnings.length === 0
    if (!isFull && (!isLast || isEmpty)) return undefined
    const batch = { ...this.#batch, foundItems: this.foundItems }
    this.#batch = { units: [], unchanged: [], warnings: [], foundItems: 0 }
    this.#batchItems = 0
    return batch
  }
}

/**
 * Scans a library, or some folders of it. Every step yields a batch, or undefined where there is none yet and the thread may attend to
 * something else. Throws `RootUnavailableError` at the start, and at the end if the root was swapped or unmounted.
 */
export function* scanLibrary(input: ScanInput): Generator<ScanBatch | undefined, ScanSummary> {
  const scan = new Scan(input)
  const root = scan.root()
  const listing = scan.listRoot(root) ?? { files: [], folders: [], bundles: [] }
  const rootIsEmpty = listing.files.length + listing.folders.length + listing.bundles.length === 0

  const wanted = input.paths?.flatMap((path) => scan.find(path, listing) ?? [])
  if (input.libraryType === 'mixed') {
    const pending = (wanted ?? scan.addFolder(root, listing)).toReversed()
    yield scan.takeBatch(false)
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      pending.push(...scan.addFolder(place).toReversed())
      yield scan.takeBatch(false)
    }
  } else {
    const rules = RULES[input.libraryType]
    if (!wanted) scan.warnOfLoose([...listing.files, ...listing.bundles], rules)
    for (const place of wanted ?? listing.folders) {
      scan.addTree(place, rules)
      yield scan.takeBatch(false)
    }
  }

  const after = scan.root()
  if (keptInodeOf(after) !== keptInodeOf(root) || after.dev !== root.dev)
    throw new RootUnavailableError('The library folder was exchanged or unmounted during the scan.')
  yield scan.takeBatch(true)
  return { rootIsEmpty, unreadable: scan.unreadable, ownData: scan.ownData, foundItems: scan.foundItems }
}
