/** The messages between the main thread and the worker threads. A thread looks at what it is asked before it trusts it; its answers are trusted. */

import type { AiTask, DonePage } from '../ai/ai-task.ts'
import type { VocabularyTag } from '../ai/vocabulary.ts'
import type { AiJobFailure, AiJobResult } from '../domain/ai-job.ts'
import type { AiSettings } from '../domain/ai-settings.ts'
import type { LibraryType } from '../domain/item-type.ts'
import type { ScannedUnit, ScanWarning } from '../domain/scanned-item.ts'
import type { ThumbnailSize } from '../domain/thumbnail-size.ts'
import type { SubtitleSource } from '../media/subtitles.ts'
import type { ColumnBatch } from '../scan/column-batch.ts'

export const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

export const isText = (value: unknown): value is string => typeof value === 'string'

/** What was asked for under this number is not wanted any more. */
export interface StopRequest {
  type: 'stop'
  id: number
}

export interface ScanRequest {
  type: 'scan'
  libraryId: number
  libraryType: LibraryType
  /** Absolute, resolved (no links). */
  root: string
  /** The folders to look through, relative to the root; null is everything. */
  paths: string[] | null
  /** Signatures of the last finished look at each unit; a unit whose signature is equal is only counted. */
  knownSignatures: Record<string, string>
  /** True for a library without any item: `units` carry no items, and `batches` have them as columns. */
  asColumns: boolean
  /** Items per `units` message, at most (one unit is never split unless it alone is larger). */
  batchSize: number
}

export type ScanMessage =
  /** `foundItems`: so far, those of unchanged units included. */
  | { type: 'units'; units: ScannedUnit[]; batches: ColumnBatch[]; unchanged: string[]; foundItems: number; warnings: ScanWarning[] }
  /**
   * Sent last. `unreadable`: paths (relative) that could not be read; nothing at, below or above them may be called missing.
   * `ownData`: folders that hold the data of a server; everything below them is to be.
   */
  | { type: 'done'; rootIsEmpty: boolean; unreadable: string[]; ownData: string[]; foundItems: number }
  /** Also sent last. The thread stays alive for the next request. */
  | { type: 'failed'; code: 'root_unavailable' | 'scanner_failed'; message: string }

/** The main thread acknowledges every `units` message, so that only a few are under way (backpressure). */
export interface ScanAcknowledgement {
  type: 'ack'
}

/** The scanner's thread ends itself, with nothing left open. */
export interface EndRequest {
  type: 'end'
}

/** Partial content hashes of files, asked for while moves are being matched. */
export interface HashRequest {
  type: 'hash'
  id: number
  root: string
  paths: string[]
}
export interface HashAnswer {
  type: 'hashes'
  id: number
  /** In the order asked; null where a file cannot be read. */
  hashes: (string | null)[]
}

/** Scanners answer it, and thumbnailers. */
export const isHashRequest = (message: Record<string, unknown>): message is Record<string, unknown> & HashRequest =>
  message.type === 'hash' &&
  Number.isInteger(message.id) &&
  isText(message.root) &&
  Array.isArray(message.paths) &&
  message.paths.every(isText)

export interface ThumbnailRequest {
  type: 'thumbnail'
  id: number
  /** Absolute, resolved library root, and the source relative to it. */
  root: string
  path: string
  kind: 'image' | 'video' | 'pages'
  /** Absolute file names to write (WebP), by size; each is written by temporary file and rename. */
  targets: { size: ThumbnailSize; file: string }[]
  /** The size that somebody waits for: it is made first, and said to be ready before the others are begun. */
  first?: ThumbnailSize
  ffmpegPath: string | null
}

/** Comes before the answer, where a size was wanted first. */
export interface ThumbnailReady {
  type: 'ready'
  id: number
}

export type ThumbnailAnswer =
  | {
      type: 'thumbnail'
      id: number
      ok: true
      /** Pixels of the source after orientation; seconds for videos, null otherwise. */
      width: number | null
      height: number | null
      durationSeconds: number | null
      /** Of the volume whose page it is; null otherwise. */
      pageCount: number | null
      /** Milliseconds since the epoch; null where the file does not tell. */
      takenAt: number | null
      /** Base64 of the thumbhash bytes. */
      thumbhash: string | null
    }
  | {
      type: 'thumbnail'
      id: number
      ok: false
      /**
       * `unavailable`: the file or its folder cannot be read now, and `timeout`: it took too long; try again later. The
       * others are remembered, `no_ffmpeg` until there is one.
       */
      code: 'unsupported' | 'broken' | 'too_large' | 'no_ffmpeg' | 'timeout' | 'unavailable'
      message: string
    }

/** When was this taken? For pictures that were made by a version which did not ask. */
export interface DateRequest {
  type: 'date'
  id: number
  root: string
  path: string
  kind: 'image' | 'video'
}

export interface DateAnswer {
  type: 'date'
  id: number
  /** Milliseconds since the epoch; null where the file does not tell, undefined where it cannot be read now. */
  takenAt: number | null | undefined
}

/** A picture that somebody uploads. */
export interface EncodeRequest {
  type: 'encode'
  id: number
  bytes: Uint8Array
}

export type EncodeAnswer =
  | { type: 'encoded'; id: number; ok: true; jpeg: Uint8Array }
  /** `message` is for people. */
  | { type: 'encoded'; id: number; ok: false; code: 'unsupported' | 'broken' | 'too_large' | 'timeout'; message: string }

/** Subtitles that are to be WebVTT. */
export interface SubtitleRequest {
  type: 'subtitles'
  id: number
  bytes: Uint8Array
  source: SubtitleSource
}

export interface SubtitleAnswer {
  type: 'vtt'
  id: number
  text: string
}

/** The pages of a volume. `root` is absolute and resolved, `path` relative to it. */
export interface PageListRequest {
  type: 'pages'
  id: number
  root: string
  path: string
  /** Of the volume that is meant (`OpenedVolume`). */
  stamp: string
}
/** One page, from 0, as it lies there or at most so many pixels wide. */
export interface PageRequest {
  type: 'page'
  id: number
  root: string
  path: string
  stamp: string
  index: number
  width: number | null
  ffmpegPath: string | null
}

/** A picture that is a file of its own: answered as a page is. */
export interface PictureRequest {
  type: 'picture'
  id: number
  root: string
  path: string
  /** Of the picture that is meant (`ScannedArtwork`). */
  version: string
  /** Pixels, at most. */
  width: number
  ffmpegPath: string | null
}

export interface PageFailure {
  type: 'failed'
  id: number
  /**
   * `not_found`: no such page; `unavailable`: the file cannot be read now; `replaced`: what lies there is not what was meant;
   * the others are what is wrong with it.
   */
  code: 'not_found' | 'unavailable' | 'replaced' | 'unsupported' | 'broken' | 'too_large' | 'timeout'
  message: string
}

export type PageAnswer =
  | {
      type: 'pages'
      id: number
      /** Pixels, in reading order; null for a page that cannot be decoded. */
      sizes: ([width: number, height: number] | null)[]
      comicInfo: { title: string | null; number: number | null; volume: number | null; readingDirection: 'ltr' | 'rtl' | null } | null
    }
  | { type: 'page'; id: number; bytes: Uint8Array; mediaType: string }
  | PageFailure

/** A job of the AI queue. */
export interface AiThreadRequest extends AiTask {
  type: 'ai'
  id: number
}

export type AiThreadEnd =
  | { type: 'done'; id: number; result: AiJobResult; askedModel: boolean }
  /** `detail` is for the log. */
  | { type: 'failed'; id: number; failure: AiJobFailure; detail: string }

/** Any number of pages before the end. */
export type AiThreadAnswer = { type: 'page'; id: number; page: DonePage } | AiThreadEnd

/**
 * A job without pictures, and without what is there to open them, for a thread that asks for many at a time. What many have in
 * common is not told with each.
 */
export interface AskerTask extends Pick<AiTask, 'activity' | 'apiKey' | 'payload' | 'item' | 'maxCharacters'> {
  id: number
  isUrgent: boolean
  /** The last one that was told. */
  hasVocabulary: boolean
}

export type AskerRequest =
  /** `tasks`: JSON (`AskerTask[]`), for text is handed over in a third of the time that copies of hundreds of objects take. */
  | { type: 'ask'; settings: AiSettings; tasks: string }
  /** Of the tasks that follow. */
  | { type: 'vocabulary'; vocabulary: VocabularyTag[] }
  /** Questions under way at a time. */
  | { type: 'limit'; atOnce: number }
  | { type: 'cancel'; id: number }
  /** Gives back what has not begun, and then says so. */
  | { type: 'recall' }

/** `recalled`: it has not begun, and will not. */
export type AskerEnd = AiThreadEnd | { type: 'recalled'; id: number }

/** How often a thread that asks says that it lives, while it has something to do. */
export const ASKER_ALIVE_MS = 5_000

/** `ends`: JSON (`AskerEnd[]`). `recalled`: what had not begun when this was asked for has ended. */
export type AskerAnswer = { type: 'ended'; ends: string } | { type: 'recalled' } | { type: 'alive' }
