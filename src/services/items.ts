/** One item, whole (API.md, 5). */

import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { mediaItems } from '../db/schema/media-items.ts'
import { progress } from '../db/schema/progress.ts'
import type { Deps } from '../deps.ts'
import { artworkUrl, type BrowseEntry, withBasePath, withProgress } from '../domain/browse-entry.ts'
import { type GameExtra, type GameFile, readLegacyGameFiles } from '../domain/game-item.ts'
import { isoTime } from '../domain/iso-time.ts'
import { isContainer } from '../domain/item-type.ts'
import type { MediaProbe } from '../domain/media-probe.ts'
import type { Viewer } from '../domain/permissions.ts'
import { defaultAudio } from '../domain/playback.ts'
import type { ScannedArtwork } from '../domain/scanned-item.ts'
import { inStandingPart } from '../domain/standing-part.ts'
import { AppError } from '../errors.ts'
import { isHdr } from '../media/tone-mapping.ts'
import { renderEntries } from './browse-entries.ts'
import { readProgress } from './browse-page.ts'
import { screenshotsOf } from './game-screenshots.ts'
import { listProbes } from './media-probes.ts'
import { listItemTags } from './tag-assignments.ts'
import { getKnownItem, getMovedItem, type MediaItemRow } from './visible.ts'

interface VideoFile {
  name: string
  size: number
  role: 'main' | 'part' | 'version' | 'extra'
  label: string | null
  media: FileMedia | null
}

/** What is in a file, by ffmpeg's names of codecs and in pixels; nothing is known of it until the background has looked. */
interface FileMedia {
  videoCodec: string | null
  audioCodec: string | null
  width: number | null
  height: number | null
  /** As Jellyfin's `VideoRange`. */
  videoRange: 'SDR' | 'HDR' | null
}

const urlOf = (item: MediaItemRow, kind: ScannedArtwork['kind']): string | null =>
  artworkUrl(
    item.itemKey,
    item.artwork?.find((picture) => picture.kind === kind),
  )

const gameFilesOf = (item: MediaItemRow): GameFile[] =>
  item.files
    ?.filter(({ role }) => role !== 'extra')
    .map(({ name, size, platform, kind }) => ({ name, size, platform: platform ?? 'windows', kind: kind ?? 'file' })) ??
  readLegacyGameFiles(item.data)

/** Manuals, patches, music: of no platform. They are downloaded like the game's own files. */
const gameExtrasOf = (item: MediaItemRow): GameExtra[] =>
  (item.files ?? []).filter(({ role }) => role === 'extra').map(({ name, size, kind }) => ({ name, size, kind: kind ?? 'file' }))

const mediaOf = (probe: MediaProbe | null | undefined): FileMedia | null => {
  if (!probe) return null
  const { width = null, height = null, codec = null, transfer } = probe.video ?? {}
  const videoRange = transfer === undefined ? null : isHdr(transfer) ? 'HDR' : 'SDR'
  return { videoCodec: codec, audioCodec: defaultAudio(probe)?.codec ?? null, width, height, videoRange }
}

const videoFilesOf = async (deps: Deps, item: MediaItemRow): Promise<VideoFile[]> => {
  const probes = await listProbes(deps, item)
  const isMain = (name: string): boolean => item.mainFile === `${item.path}/${name}`
  return (item.files ?? []).map(({ name, size, role, label }) => ({
    name,
    size,
    role: role ?? 'main',
    label: label ?? null,
    media: mediaOf((isMain(name) ? probes.get('')?.probe : undefined) ?? probes.get(name)?.probe),
  }))
}

const nfoFieldsOf = (item: MediaItemRow) => ({
  year: item.year,
  plot: item.plot,
  rating: item.rating,
  genres: item.genres ?? [],
  runtimeMinutes: item.runtimeMinutes,
  nfoRefreshedAt: isoTime(item.nfoRefreshedAt || null),
  nfoAvailable: item.nfoPath !== null,
  /** The NFO file has changed since it was last applied. */
  nfoNewer: item.nfoModifiedAt !== null && !!item.nfoRefreshedAt && item.nfoModifiedAt > item.nfoRefreshedAt,
})

const posterFieldsOf = (item: MediaItemRow) => ({ posterUrl: urlOf(item, 'poster'), backdropUrl: urlOf(item, 'backdrop') })

const countBelow = async (deps: Deps, item: MediaItemRow) => {
  const isSeries = item.itemType === 'tv_series'
  const children = deps.db
    .select({ id: mediaItems.id })
    .from(mediaItems)
    .where(and(eq(mediaItems.parentId, item.id), isNull(mediaItems.missingSince)))
  const [episodes] = isSeries
    ? await deps.db
        .select({ total: sql<number>`count(*)` })
        .from(mediaItems)
        .where(and(inArray(mediaItems.parentId, children), isNull(mediaItems.missingSince)))
    : [{ total: item.childCount }]
  return { seasonCount: isSeries ? item.childCount : null, episodeCount: episodes?.total ?? 0 }
}

/** What only items of this type have. */
const fieldsByType = async (deps: Deps, item: MediaItemRow) => {
  switch (item.itemType) {
    case 'game':
      return {
        files: gameFilesOf(item),
        extras: gameExtrasOf(item),
        wideCoverUrl: urlOf(item, 'widecover'),
        screenshots: screenshotsOf(item),
      }
    case 'game_series':
      return { gameCount: item.childCount, wideCoverUrl: urlOf(item, 'widecover') }
    case 'movie':
      return { files: await videoFilesOf(deps, item), ...posterFieldsOf(item), ...nfoFieldsOf(item) }
    case 'tv_series':
    case 'tv_season':
      return {
        files: await videoFilesOf(deps, item),
        ...(await countBelow(deps, item)),
        airedAt: item.airedAt,
        ...posterFieldsOf(item),
        ...nfoFieldsOf(item),
      }
    case 'tv_episode':
      return {
        files: await videoFilesOf(deps, item),
        seasonCount: null,
        episodeCount: null,
        airedAt: item.airedAt,
        ...posterFieldsOf(item),
        ...nfoFieldsOf(item),
      }
    case 'manga_series':
      return {
        volumeCount: item.childCount,
        pageCount: null,
        volumeNumber: null,
        chapterNumber: null,
        readingDirection: item.readingDirection,
      }
    case 'manga_volume':
      return {
        volumeCount: null,
        pageCount: item.pageCount,
        volumeNumber: item.volumeNumber,
        chapterNumber: item.chapterNumber,
        readingDirection: item.readingDirection,
      }
    case 'mixed_file':
      return {
        filePath: item.filePath ?? item.path,
        takenAt: isoTime(item.takenAt ?? item.namedAt),
        modifiedAt: isoTime(item.modifiedAt),
      }
    default:
      return item.itemType satisfies never
  }
}

const progressOf = async (deps: Deps, viewer: Viewer, item: MediaItemRow): Promise<string | null> => {
  if (isContainer(item.itemType)) return readProgress(deps, viewer.userId, item.id)
  const [row] = await deps.db
    .select({
      positionSeconds: progress.positionSeconds,
      durationSeconds: progress.durationSeconds,
      page: progress.page,
      completed: progress.completed,
      file: progress.file,
    })
    .from(progress)
    .where(and(eq(progress.userId, viewer.userId), eq(progress.itemId, item.id)))
  if (!row) return null
  const { file, ...known } = inStandingPart(item.files ?? [], row)
  return JSON.stringify(file === null ? known : { ...known, file })
}

/** What every item has on top of its browse entry. */
const commonFields = async (deps: Deps, item: MediaItemRow) => ({
  parents: await listParents(deps, item),
  description: item.description,
  extractedText: item.extractedText,
  translation: item.translation,
  aiTaggedAt: isoTime(item.aiTaggedAt),
  tags: await listItemTags(deps, item.id),
  missingSince: isoTime(item.missingSince),
})

/** The items above this one, nearest last: what a breadcrumb shows. */
const listParents = async (deps: Deps, item: MediaItemRow): Promise<{ itemKey: string; title: string }[]> => {
  if (item.parentId === null) return []
  const [parent] = await deps.db.select().from(mediaItems).where(eq(mediaItems.id, item.parentId))
  return parent ? [...(await listParents(deps, parent)), { itemKey: parent.itemKey, title: parent.title }] : []
}

export type Item = BrowseEntry & Awaited<ReturnType<typeof commonFields>> & Awaited<ReturnType<typeof fieldsByType>>

/** The item as JSON text: `{item}`; `find` tells which it is. */
export const getItem = async (deps: Deps, viewer: Viewer, itemKey: string, find = getKnownItem): Promise<{ json: string }> => {
  const item = await find(deps, viewer, itemKey)
  const entry = item.entry ?? (await renderEntries(deps.db, [item.id])).get(item.id)
  // Forgotten since it was read.
  if (entry === undefined) throw new AppError('not_found')
  const common = await commonFields(deps, item)
  const own = await fieldsByType(deps, item)
  const whole: object = JSON.parse(withProgress(entry, await progressOf(deps, viewer, item)))
  return { json: withBasePath(JSON.stringify({ item: { ...whole, ...common, ...own } }), deps.config.basePath) }
}

/** As `getItem`, also by a key that the item had before it moved. */
export const followItem = (deps: Deps, viewer: Viewer, itemKey: string): Promise<{ json: string }> =>
  getItem(deps, viewer, itemKey, getMovedItem)
