/** The shapes of answers, as the OpenAPI description shows them. The code's own types are checked against the services. */

import { z } from 'zod'
import { AI_ACTIVITIES } from '../domain/ai-activity.ts'
import { GAME_PLATFORMS } from '../domain/game-file.ts'
import { ITEM_TYPES, LIBRARY_TYPES, MEDIA_KINDS } from '../domain/item-type.ts'
import { READING_DIRECTIONS } from '../domain/reader-settings.ts'
import { FILE_ROLES, SCAN_WARNING_CODES } from '../domain/scanned-item.ts'
import { MAX_FILTER_TAGS } from '../domain/tag-filter.ts'
import { itemTagShape } from './tag-shapes.ts'

export const wholeNumberIn = (text: unknown): unknown => (typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : text)
/** A whole number in a path or a query, written in decimal digits alone: `Number` would also take `1e2`, `0x10`, `+5` and nothing at all. */
export const wholeNumberField = (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  z.preprocess(
    wholeNumberIn,
    z.int('must be a whole number, in decimal digits').min(min, `must be ${min} or more`).max(max, `must be ${max} or less`),
  )
/** A field that the server alone decides: taken and ignored, so that an answer can be sent back. */
export const readOnly = z.unknown().optional()
/** An id in a path or a query. */
export const idQueryField = wholeNumberField(1)
export const idParam = () => z.object({ id: idQueryField })
export const itemKeyQuery = () => z.object({ itemKey: z.string().min(1).max(4096) })
/** A file of an item that can be played; without `file` the main one. */
export const playableQuery = () => z.object({ ...itemKeyQuery().shape, file: z.string().min(1).max(4096).optional() })
/** The description shows no default of what is read from text. */
export const limitField = wholeNumberField(1, 500).default(100).describe('At most so many; 100 where it is left out')
/** A name search. SQLite's LIKE would stop reading at NUL, and find everything that the text before it finds. */
export const searchField = z
  .string()
  .max(200)
  .refine((text) => !text.includes('\0'), 'contains NUL')
/** Comma-separated tag ids, in any order; an unknown one is a tag that nothing carries. */
const tagIdsField = z
  .string()
  .max(1000)
  .regex(/^(?:\d{1,15}(?:,\d{1,15})*)?$/, 'must be tag ids with commas between them')
  .transform((text) => [...new Set(text === '' ? [] : text.split(',').map(Number))].sort((a, b) => a - b))
  .refine((ids) => ids.length <= MAX_FILTER_TAGS, `more than ${MAX_FILTER_TAGS} tags`)
/** Flags in a query are 1 or 0. */
export const flagField = z.enum(['0', '1', 'true', 'false']).transform((value) => value === '1' || value === 'true')
/** Which level of a library is meant. */
export const levelFields = {
  libraryId: idQueryField,
  parentKey: z
    .string()
    .max(4096)
    .transform((key) => key || undefined)
    .optional()
    .describe('Nothing: the top level'),
  path: z.string().max(4096).optional().describe('Mixed libraries: one folder’s own files; nothing: the root'),
  below: flagField.optional().describe('With `path`: also the files of all folders below it'),
}
/** Which of its entries. */
export const filterFields = {
  q: searchField.optional(),
  tags: tagIdsField.default([]),
  excludeTags: tagIdsField.default([]),
  untagged: flagField.optional().describe('Only what carries no tag; of a series without tags, one item that it holds'),
  unfinished: flagField.optional().describe('Only what you have not completed; of a series, one episode or volume'),
  kinds: z
    .string()
    .max(100)
    .transform((text) => [...new Set(text.split(',').filter((kind) => kind !== ''))].sort())
    .pipe(z.array(z.enum(MEDIA_KINDS)))
    .default([])
    .describe(`Mixed libraries: files of these kinds alone, divided by commas: ${MEDIA_KINDS.join(', ')}`),
}
export const cursorField = z.string().max(8192).optional()
/** Newest last. */
export const screenshotsShape = () =>
  z.object({
    screenshots: z.array(z.object({ name: z.string(), url: z.string(), takenAt: z.iso.datetime().nullable() })),
  })

export const scanShape = () =>
  z.object({
    id: z.int(),
    libraryId: z.int(),
    trigger: z.enum(['manual', 'scheduled', 'startup']),
    status: z.enum(['queued', 'running', 'done', 'failed', 'cancelled', 'interrupted', 'held']),
    phase: z.string().nullable(),
    paths: z.array(z.string()).nullable().describe('The folders that are looked through; null is the whole library'),
    found: z.int(),
    added: z.int(),
    updated: z.int(),
    moved: z.int(),
    missing: z.int(),
    restored: z.int(),
    warningCount: z.int(),
    warnings: z.array(z.object({ path: z.string(), code: z.enum(SCAN_WARNING_CODES), message: z.string() })),
    error: z.string().nullable(),
    startedAt: z.iso.datetime().nullable(),
    walkedAt: z.iso.datetime().nullable().describe('When all folders had been read'),
    finishedAt: z.iso.datetime().nullable(),
  })

export const libraryShape = () =>
  z.object({
    id: z.int(),
    name: z.string(),
    type: z.enum(LIBRARY_TYPES),
    itemCount: z.int(),
    available: z.boolean().describe('Its folder can be read, is the one that it was, and is not empty where it was not before'),
    lastScan: scanShape().nullable(),
    scanSchedule: z.string().nullable().optional().describe('Administrators only'),
    path: z.string().optional().describe('Administrators only'),
    trashDays: z.int().optional().describe('Administrators only'),
    aiOnScan: z.array(z.enum(AI_ACTIVITIES)).optional().describe('Administrators only'),
    heldScanId: z.int().nullable().optional().describe('The scan whose losses wait for a decision. Administrators only'),
  })

export const entryShape = () =>
  z.object({
    itemKey: z.string(),
    itemType: z.enum(ITEM_TYPES),
    title: z.string(),
    parentKey: z.string().nullable(),
    libraryId: z.int(),
    coverUrl: z.string().nullable(),
    thumbnailUrl: z.string().nullable(),
    year: z.int().nullable(),
    rating: z.number().nullable(),
    childCount: z.int().nullable(),
    gameCount: z.int().nullable(),
    seasonNumber: z.int().nullable(),
    episodeNumber: z.int().nullable(),
    episodeNumberEnd: z.int().nullable(),
    mediaKind: z.enum(MEDIA_KINDS).nullable(),
    mimeType: z.string().nullable(),
    size: z.int().nullable(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    durationSeconds: z.number().nullable(),
    hasExtractedText: z.boolean(),
    addedAt: z.iso.datetime(),
    tagIds: z.array(z.int()),
    thumbhash: z.string().nullable(),
    plot: z.string().optional().describe('Episodes whose metadata was read'),
    seriesTitle: z.string().optional().describe('Of a part of a series among items of all sorts: what to go on with, and what was found'),
    platforms: z.array(z.enum(GAME_PLATFORMS)).optional().describe('Games'),
    pageCount: z.int().optional().describe('Volumes, once it is known'),
    sortDate: z.iso.datetime().optional().describe('In lists sorted by `updated` or `taken`: the date that this one stands at'),
    progress: z
      .object({
        positionSeconds: z.number().nullable(),
        durationSeconds: z.number().nullable(),
        page: z.int().nullable(),
        completed: z.boolean(),
        file: z.string().optional().describe('The part of a film that the position is in, where that is not the first; of single items'),
      })
      .nullable(),
  })

export const browseShape = () =>
  z.object({
    parent: entryShape().nullable(),
    entries: z.array(entryShape()),
    nextCursor: z.string().nullable(),
    prevCursor: z.string().nullable(),
    position: z.int().nullable(),
    total: z.int().nullable(),
    around: z.string().optional().describe('Where a list is asked for `around` an item: the key that it has now'),
  })
export type BrowseAnswer = z.infer<ReturnType<typeof browseShape>>

/** Of games, films and episodes; of series their extras. */
const itemFileShape = () =>
  z.object({
    name: z.string(),
    size: z.int().nullable(),
    platform: z.enum(GAME_PLATFORMS).optional().describe('Games'),
    kind: z.enum(['file', 'app_bundle']).optional().describe('Games'),
    role: z.enum(FILE_ROLES).optional().describe('Films, episodes and extras'),
    label: z.string().nullable().optional().describe('Films, episodes and extras'),
    media: z
      .object({
        videoCodec: z.string().nullable(),
        audioCodec: z.string().nullable(),
        width: z.int().nullable(),
        height: z.int().nullable(),
        videoRange: z.enum(['SDR', 'HDR']).nullable(),
      })
      .nullable()
      .optional()
      .describe('Films, episodes and extras; null until it is known'),
  })

/** What items of some types have. */
const typedFields = z
  .object({
    files: z.array(itemFileShape()),
    extras: z
      .array(z.object({ name: z.string(), size: z.int(), kind: z.enum(['file', 'app_bundle']) }))
      .describe('Games: what lies in their folders manual, patches, dlc and the like'),
    wideCoverUrl: z.string().nullable(),
    screenshots: screenshotsShape().shape.screenshots,
    posterUrl: z.string().nullable(),
    backdropUrl: z.string().nullable(),
    plot: z.string().nullable(),
    genres: z.array(z.string()),
    runtimeMinutes: z.int().nullable(),
    airedAt: z.string().nullable(),
    nfoRefreshedAt: z.iso.datetime().nullable(),
    nfoAvailable: z.boolean(),
    nfoNewer: z.boolean().describe('The NFO file has changed since it was last applied'),
    seasonCount: z.int().nullable(),
    episodeCount: z.int().nullable(),
    volumeCount: z.int().nullable(),
    pageCount: z.int().nullable(),
    volumeNumber: z.number().nullable(),
    chapterNumber: z.number().nullable(),
    readingDirection: z.enum(READING_DIRECTIONS).nullable(),
    filePath: z.string().describe('Relative to the library root'),
    takenAt: z.iso.datetime().nullable().describe('Files of mixed libraries, as far as the picture or video tells, or else its name'),
    modifiedAt: z.iso.datetime().describe('Files of mixed libraries: the date of the file itself'),
  })
  .partial()

export const itemShape = () =>
  z.looseObject({
    ...entryShape().shape,
    ...typedFields.shape,
    parents: z.array(z.object({ itemKey: z.string(), title: z.string() })),
    description: z.string().nullable(),
    extractedText: z.string().nullable(),
    translation: z.string().nullable(),
    aiTaggedAt: z.iso.datetime().nullable(),
    tags: z.array(itemTagShape()),
    missingSince: z.iso.datetime().nullable(),
  })
