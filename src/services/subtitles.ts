/**
 * The subtitles of a video: files beside it and in a folder of subtitles there, which are looked for when somebody asks (no
 * scan lists them, so that a new one is there at once), and tracks inside it.
 */

import { readdir } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '../deps.ts'
import { parseLanguage } from '../domain/language-code.ts'
import { extensionOf, isVideoName, stemOf } from '../domain/media-file.ts'
import type { SubtitleStream } from '../domain/media-probe.ts'
import { titlesOfFolder } from '../domain/movie-file.ts'
import { toNaturalOrder } from '../domain/natural-sort.ts'
import type { Viewer } from '../domain/permissions.ts'
import { baseNameOf, folderOf, pathIn } from '../domain/relative-path.ts'
import { slicesOf } from '../domain/slices.ts'
import {
  isNamedAlike,
  isSubtitleFolder,
  parseBareSidecarName,
  parseLooseSidecarName,
  parseSharedSidecarName,
  parseSidecarName,
  type SidecarName,
  subtitleLabel,
  type TrackTraits,
  videosAmong,
} from '../domain/subtitle-name.ts'
import { AppError } from '../errors.ts'
import { MediaError, type OpenedFile, openFolderInside } from '../media/inside.ts'
import { embeddedFormat, isPictureTrack } from '../media/subtitles-extract.ts'
import { fileVersion } from './media-probes.ts'
import { openPlaced } from './placed-file.ts'
import { type Playable, type PlayableQuery, playableParameters, withPlayable } from './playable.ts'
import { readSidecar } from './subtitle-texts.ts'

export interface SubtitleTrack {
  /** The same for as long as the file has the same name, or the track the same place in the video. */
  id: string
  label: string
  language: string | null
  isDefault: boolean
  isForced: boolean
  isForHearingImpaired: boolean
  url: string
}

interface Sidecar extends TrackTraits, Pick<SidecarName, 'format'> {
  id: string
  /** Relative to the library's root. */
  path: string
}

interface Embedded extends TrackTraits {
  id: string
  stream: SubtitleStream
}

interface FolderContents {
  files: string[]
  folders: string[]
}

/** What lies in a folder of the library. A link to another folder is a file that nothing will come of. Throws `MediaError`. */
const listFolder = async (root: string, folder: string): Promise<FolderContents> => {
  const opened = await openFolderInside(root, folder)
  try {
    const entries = await readdir(opened.stablePath, { withFileTypes: true })
    const namesOf = (isFolder: boolean) => entries.filter((entry) => entry.isDirectory() === isFolder).map(({ name }) => name)
    return { files: namesOf(false), folders: namesOf(true) }
  } finally {
    await opened.handle.close()
  }
}

/** Names of the film that what plays is the whole of; none for its parts, which begin where another ends, and for extras. */
const filmTitles = ({ item, path }: Playable): string[] => {
  const files = item.itemType === 'movie' ? (item.files ?? []) : []
  const role = files.find(({ name }) => path === `${item.path}/${name}`)?.role
  const isWhole = role === 'version' || (role === 'main' && files.every((file) => file.role !== 'part'))
  return isWhole ? titlesOfFolder(baseNameOf(item.path)) : []
}

/** Nobody looks through a longer list of them. */
const MAX_SIDECARS = 200
/** Nor does anybody put more of them in order than this. */
const MAX_FOUND = 1000
/** Names of a folder that are looked at before others have their turn. */
const NAMES_AT_A_TIME = 200
/** `Subs` in letters of both sizes makes hundreds of names. */
const MAX_FOLDERS = 10

/** The names in a folder but for `.sub` files that have an index beside them: those are pictures, as a DVD has them (Kodi asks the same). */
const withoutPictures = (fileNames: readonly string[]): readonly string[] => {
  const indexed = new Set(fileNames.filter((name) => extensionOf(name) === 'idx').map((name) => stemOf(name).toLowerCase()))
  return indexed.size === 0
    ? fileNames
    : fileNames.filter((name) => extensionOf(name) !== 'sub' || !indexed.has(stemOf(name).toLowerCase()))
}

/** The subtitle files among what lies in a folder, the first ones. Only what is found is put in order: there may be thousands. */
const sidecarsIn = async (
  folder: string,
  fileNames: readonly string[],
  parse: (fileName: string) => SidecarName | undefined,
): Promise<Sidecar[]> => {
  const found: (SidecarName & { fileName: string })[] = []
  for (const names of slicesOf(withoutPictures(fileNames), NAMES_AT_A_TIME)) {
    for (const fileName of names) {
      const sidecar = parse(fileName)
      if (sidecar) found.push({ ...sidecar, fileName })
    }
    if (found.length >= MAX_FOUND) break
    if (names.length === NAMES_AT_A_TIME) await nextTurn()
  }
  return toNaturalOrder(found, ({ fileName }) => fileName)
    .slice(0, MAX_SIDECARS)
    .map(({ fileName, suffix, format, traits }) => ({ ...traits(), format, id: `file${suffix}`, path: pathIn(folder, fileName) }))
}

const listSidecars = async ({ log }: Pick<Deps, 'log'>, playable: Playable): Promise<Sidecar[]> => {
  const { item, root, path, name } = playable
  /** One that may not be read, or has just gone, is no reason not to play the video. */
  const look = (folder: string): Promise<FolderContents> =>
    listFolder(root, folder).catch((error: unknown) => {
      if (!(error instanceof MediaError)) throw error
      log.warn('subtitles_not_listed', { itemId: item.id, folder, error })
      return { files: [], folders: [] }
    })
  const own = folderOf(path)
  const { files, folders } = await look(own)
  const titles = filmTitles(playable)
  const isAlone = titles.length > 0 || files.filter(isVideoName).length === 1
  const findVideo = videosAmong(files)
  const ofVideo = (fileName: string) => parseSidecarName(fileName, name, findVideo)
  const ofFilm = (fileName: string) => (ofVideo(fileName) ? undefined : parseSharedSidecarName(fileName, titles, findVideo))
  const bare = (fileName: string) => (ofVideo(fileName) || ofFilm(fileName) ? undefined : parseBareSidecarName(fileName, findVideo))
  const sidecars: Sidecar[] = []
  for (const parse of [ofVideo, ofFilm, ...(isAlone ? [bare] : [])]) sidecars.push(...(await sidecarsIn(own, files, parse)))
  for (const subtitles of toNaturalOrder(folders.filter(isSubtitleFolder), (folder) => folder).slice(0, MAX_FOLDERS)) {
    const inside = await look(pathIn(own, subtitles))
    const parse = (fileName: string): SidecarName | undefined => {
      const named = ofVideo(fileName) ?? ofFilm(fileName)
      if (named) return { ...named, suffix: `/${subtitles}${named.suffix}` }
      return isAlone ? parseLooseSidecarName(fileName, subtitles, findVideo) : undefined
    }
    sidecars.push(...(await sidecarsIn(pathIn(own, subtitles), inside.files, parse)))
    const ofOne = inside.folders.find((folder) => isNamedAlike(folder, stemOf(name)))
    if (ofOne === undefined) continue
    const place = `${subtitles}/${ofOne}`
    const { files: loose } = await look(pathIn(own, place))
    sidecars.push(...(await sidecarsIn(pathIn(own, place), loose, (fileName) => parseLooseSidecarName(fileName, place))))
  }
  // Two names that differ by case alone, or the video's own and the film's: the first one has the id.
  const found = new Map<string, Sidecar>()
  for (const sidecar of sidecars) if (!found.has(sidecar.id)) found.set(sidecar.id, sidecar)
  return [...found.values()]
}

const listEmbedded = ({ probe }: Playable): Embedded[] =>
  (probe?.subtitles ?? [])
    .filter(({ codec }) => embeddedFormat(codec) !== undefined)
    .map((stream) => ({
      id: `embedded-${stream.index}`,
      stream,
      language: stream.language === null ? null : parseLanguage(stream.language),
      title: stream.title,
      isDefault: stream.isDefault,
      isForced: stream.isForced,
      isForHearingImpaired: stream.isForHearingImpaired,
    }))

/** Nothing shows them, but nobody shall look for them in vain either. */
export const hasPictureSubtitles = ({ probe }: Playable): boolean => (probe?.subtitles ?? []).some(({ codec }) => isPictureTrack(codec))

const urlOf = (deps: Deps, query: PlayableQuery, id: string): string =>
  `${deps.config.basePath}/api/subtitles?${new URLSearchParams({ ...playableParameters(query), track: id })}`

/** Files first: somebody put them there on purpose. */
export const listSubtitleTracks = async (deps: Deps, playable: Playable, query: PlayableQuery): Promise<SubtitleTrack[]> => {
  const sidecars = await listSidecars(deps, playable)
  return [...sidecars, ...listEmbedded(playable)].map((track) => ({
    id: track.id,
    label: subtitleLabel(track),
    language: track.language,
    isDefault: track.isDefault,
    isForced: track.isForced,
    isForHearingImpaired: track.isForHearingImpaired,
    url: urlOf(deps, query, track.id),
  }))
}

/** A track as WebVTT. Throws `not_found` for one that the video does not have. */
export const getSubtitles = (
  deps: Deps,
  viewer: Viewer,
  { track, signal, ...query }: PlayableQuery & { track: string; signal: AbortSignal },
): Promise<string> =>
  withPlayable(deps, viewer, query, async (playable) => {
    const asker = { userId: viewer.userId, signal }
    const keyOf = (path: string, opened: OpenedFile): string => `${playable.item.id} ${path} ${fileVersion(opened)}`
    const embedded = listEmbedded(playable).find(({ id }) => id === track)
    const format = embedded && embeddedFormat(embedded.stream.codec)
    if (embedded && format) {
      const { index } = embedded.stream
      const key = `${keyOf(playable.path, playable.opened)} ${index}`
      return deps.media.subtitles(playable.opened, { key, stream: { index, format }, ...asker })
    }
    const sidecar = (await listSidecars(deps, playable)).find(({ id }) => id === track)
    if (!sidecar) throw new AppError('not_found')
    const { opened } = await openPlaced({ root: playable.root, path: sidecar.path })
    try {
      const frameRate = playable.probe?.video?.frameRate ?? null
      return await readSidecar(deps, opened, { ...sidecar, frameRate, key: keyOf(sidecar.path, opened), ...asker })
    } finally {
      await opened.handle.close()
    }
  })
