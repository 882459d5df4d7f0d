/** What a service is given as its first argument. Made once in `parts.ts`. */

import type { Auth } from './auth/auth.ts'
import type { Config } from './config.ts'
import type { Database } from './db/client.ts'
import type { Writer } from './db/writer.ts'
import type { AiActivity } from './domain/ai-activity.ts'
import type { ItemType } from './domain/item-type.ts'
import type { MediaProbe } from './domain/media-probe.ts'
import type { ThumbnailSize } from './domain/thumbnail-size.ts'
import type { RequestLimits } from './http/request-limit.ts'
import type { Log } from './log.ts'
import type { OpenedFile } from './media/inside.ts'
import type { SubtitleSource } from './media/subtitles.ts'
import type { PreviewPlace } from './media/video-frame.ts'
import type { FindCopiedPieces } from './services/copied-pieces.ts'
import type { DeletionRow } from './services/deletion-journal.ts'
import type { EventBus } from './services/events.ts'
import type { HlsStream } from './services/hls-runs.ts'
import type { MediaPlace } from './services/media-probes.ts'
import type { Places } from './services/places.ts'
import type { EmbeddedTrack } from './services/subtitle-texts.ts'

/** The main thread's side of scans, as services see it (jobs/scan-runner.ts). */
export interface ScanRunner {
  /** Looks for queued scans now. */
  wake(): void
  /** Resolves once a scan that this process runs has stopped; one of another process stops at its next heartbeat. */
  cancel(scanId: number): Promise<void>
  /** Rebuilds the schedule from the libraries. */
  reschedule(): Promise<void>
  /**
   * A folder has just left its place, or come back to it, or we have changed what is in it: a scan of this library that
   * runs says nothing about it any more. Resolves once nothing that such a scan has read before is being written.
   */
  leaveOut(libraryId: number, folder: string): Promise<void>
}

/** Thumbnails on demand (jobs/thumbnail-queue.ts). */
export interface ThumbnailQueue {
  /** The file of a thumbnail, made first if need be, but for what is missing. Throws `no_thumbnail`. */
  get(source: ThumbnailSource, size: ThumbnailSize): Promise<string>
  /** The file of a thumbnail that was made before; undefined where none is kept. */
  findKept(source: ThumbnailSource, size: ThumbnailSize): Promise<string | undefined>
  /** Partial content hashes of files, paths relative to the library's root, in the order asked; null for what cannot be read. Throws where a disk hangs. */
  hashesOf(libraryId: number, paths: readonly string[]): Promise<(string | null)[]>
  /** Looks for items that the background has not seen yet. */
  wake(): void
  state(): { pending: number; running: number }
}

/** Refreshes of whole libraries (jobs/nfo-jobs.ts). */
export interface NfoJobs {
  /** Looks for items whose NFO files are to be read again. */
  wake(): void
  /** A library is asked for anew: counting begins again. */
  begin(libraryId: number): void
  outcome(libraryId: number): NfoOutcome
}

/** What has come of a library's refresh since it was asked for, or since the server started. */
export interface NfoOutcome {
  refreshed: number
  /** Items without an NFO file. */
  without: number
  failed: number
  /** The first of those that failed. */
  failures: { itemKey: string; title: string; code: string; detail: string }[]
}

/** Who waits for something, and until when. */
export interface Asker {
  userId: number
  signal: AbortSignal
}

/**
 * Pages of volumes (jobs/page-reader.ts): each once for all who ask for it at the same time, one after another for each of
 * them, and none that nobody waits for any more by the time that it would begin. Null where something else lies in its place
 * than was looked at: it may have been renamed.
 */
export interface PageReader {
  /** Sizes in reading order, and what the archive says of itself. Throws `pages_unreadable` or `unavailable`. */
  list(volume: VersionedVolume, asker: Asker): Promise<PageList | null>
  /** One page, at most so many pixels wide, or as wide as it is. Throws `not_found`, `pages_unreadable` or `unavailable`. */
  read(volume: VersionedVolume, page: { index: number; width: number | null }, asker: Asker): Promise<PageBytes | null>
  /** A picture that is a file of its own, at most so many pixels wide. Throws the same. */
  readPicture(picture: VersionedPlace, width: number, asker: Asker): Promise<PageBytes | null>
}

interface VersionedPlace {
  itemId: number
  /** Absolute, and the volume or the picture relative to it. */
  root: string
  path: string
  /** What is made of it is kept under this. */
  version: string
}

export interface VersionedVolume extends VersionedPlace {
  /** Of the very archive or folder that was looked at (`OpenedVolume`). */
  stamp: string
}

export interface PageList {
  /** Pixels; null for a page that cannot be decoded. */
  sizes: ([width: number, height: number] | null)[]
  readingDirection: 'ltr' | 'rtl' | null
  title: string | null
  number: number | null
  volume: number | null
}

export interface PageBytes {
  bytes: Uint8Array
  mediaType: string
}

/** The queue of AI work (jobs/ai-queue.ts). */
export interface AiQueue {
  /** There are new jobs, or the same ones may be started now. */
  wake(): void
  /** Jobs were cancelled: those of them that run here are stopped. */
  cancelled(): void
  /** Puts jobs that are claimed and have not begun back among those that wait, for as long as `work` takes, and starts none meanwhile. */
  withNoneAhead<T>(work: () => Promise<T>): Promise<T>
  /** Reads the settings anew and asks an endpoint that was away at once. */
  settingsChanged(): Promise<void>
  /** Looks whether the queue was paused or resumed. */
  reload(): Promise<void>
  /** `waiting`: why models are not asked now, for people; null where they are. */
  state(): { paused: boolean; waiting: string | null }
  /** Why a job of this kind waits, for people; null where models are asked, or none is needed. */
  waitingFor(job: { activity: AiActivity; libraryId: number }): string | null
}

/** What scans and changes leave for later (jobs/upkeep.ts). */
export interface Upkeep {
  /** Entries had to be rendered since they were not kept: they will be in a moment, unless that has just failed. */
  entriesMissed(): void
}

/** Files of what was deleted (jobs/removals.ts). */
export interface Removals {
  /** Looks for files that are to be removed. */
  wake(): void
  /** The same, and resolves once they are gone; thousands go on going meanwhile. */
  removed(): Promise<void>
  /** Brings a deletion or restoration that failed half way to an end, now or as soon as that is possible. */
  settle(id: number): Promise<void>
  /** When its time in the trash is over, as far as it is known what time it is. */
  trashEnd(deletion: DeletionRow): number | null
}

/** Pictures that people upload (jobs/upload-encoder.ts). */
export interface UploadEncoder {
  /** The picture as JPEG, or why there is none, for people. Takes the bytes over. Never rejects. */
  encode(bytes: Uint8Array<ArrayBuffer>): Promise<{ ok: true; jpeg: Uint8Array } | { ok: false; message: string }>
}

export interface SubtitleAsker extends Asker {
  /** Names the very file, and the track where it holds several: what fails is not tried again at once. */
  key: string
}

/** Subtitles of any form (jobs/subtitle-converter.ts). */
export interface SubtitleConverter {
  /** Given up when the signal says so. Throws `unavailable`. */
  asVtt(bytes: Uint8Array, source: SubtitleSource, asker: SubtitleAsker): Promise<string>
}

/** What is in media files, on demand and ahead of time (jobs/media-reader.ts). */
export interface MediaReader {
  /** Null where the file cannot be probed, or nobody can. */
  probe(place: MediaPlace, opened: OpenedFile): Promise<MediaProbe | null>
  /**
   * A text track of the file as WebVTT; `key` names the very file and track, for keeping it. Given up when all who ask for
   * it have gone, by their signals.
   */
  subtitles(opened: OpenedFile, track: SubtitleAsker & { stream: EmbeddedTrack }): Promise<string>
  /**
   * A small JPEG of a place in the video, one at a time for each person. Throws as `makePreview`, and `unavailable` while too
   * many wait for theirs, and where this person has asked for newer ones.
   */
  preview(opened: OpenedFile, place: PreviewPlace & { userId: number }): Promise<Uint8Array>
  copiedPieces: FindCopiedPieces
  /** Looks for files that the background has not looked into yet. */
  wake(): void
}

/** Streams that are made while they are watched (jobs/hls-sessions.ts). */
export interface HlsSessions {
  /**
   * Answers the stream's id; the same one for a stream that its viewer has open already. Throws `unavailable` while as many
   * as there can be are made for others.
   */
  open(stream: HlsStream): string
  find(id: string): HlsStream | undefined
  /** These throw `not_found` for an id that is none. */
  playlist(id: string): string
  /** Absolute file names. They throw `unavailable` where no more streams can be made, or the file cannot be read. */
  init(id: string, signal: AbortSignal): Promise<string>
  piece(id: string, request: { piece: number; signal: AbortSignal }): Promise<string>
  /** The viewer has gone. */
  close(id: string): void
}

/** The columns of an item that its thumbnail is made from. */
export interface ThumbnailSource {
  id: number
  libraryId: number
  itemType: ItemType
  /** Looked into where the picture beside it is none. */
  mainFile: string | null
  thumbnailKind: 'image' | 'video' | 'pages' | null
  thumbnailPath: string | null
  thumbnailVersion: string | null
  inspectError: string | null
  missingSince: number | null
}

export interface Deps {
  config: Config
  /** Reads: drizzle over the one client. Never write through it. */
  db: Database
  /** The one queue for all writes. */
  write: Writer
  log: Log
  events: EventBus
  places: Places
  limits: RequestLimits
  /** Passwords, sessions and what is remembered of them (auth/auth.ts). */
  auth: Auth
  scans: ScanRunner
  thumbnails: ThumbnailQueue
  media: MediaReader
  hls: HlsSessions
  uploads: UploadEncoder
  subtitles: SubtitleConverter
  nfoJobs: NfoJobs
  removals: Removals
  pages: PageReader
  aiQueue: AiQueue
  upkeep: Upkeep
  /**
   * Ends this server as SIGTERM does, puts this backup in the place of the database and becomes a new server in the same
   * process (main.ts). Throws `conflict` where it ends already, and where others use the database too.
   */
  beginAnewWith(backup: string): void
}
