import { sql } from 'drizzle-orm'
import { type AnySQLiteColumn, check, index, integer, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { ITEM_TYPES, MEDIA_KINDS } from '../../domain/item-type.ts'
import type { ScannedArtwork, ScannedFile } from '../../domain/scanned-item.ts'
import { libraries } from './libraries.ts'

/**
 * The media item index. `id` never changes and is what every other table refers to; `item_key` is the public name and
 * changes when a file moves. Times are milliseconds since the epoch.
 *
 * `entry` is a cache of the item's browse entry (services/browse-entries.ts): triggers clear it whenever a column that
 * it is made from changes, readers make it anew where it is null. It stands before the long texts so that a page of
 * entries never reads their overflow pages.
 *
 * A mixed file is its own main file, and mostly its own picture. So that the path of each is not stored four times, `file_path`,
 * `main_file` and `thumbnail_path` are made whenever they are read, and only what differs from `path` is stored.
 */
export const mediaItems = sqliteTable(
  'media_items',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    itemKey: text('item_key').notNull(),
    libraryId: integer('library_id')
      .notNull()
      .references(() => libraries.id, { onDelete: 'cascade' }),
    itemType: text('item_type', { enum: ITEM_TYPES }).notNull(),
    parentId: integer('parent_id').references((): AnySQLiteColumn => mediaItems.id, { onDelete: 'cascade' }),
    /** Relative to the library root. */
    path: text('path').notNull(),
    /** `file_path` as it is stored: empty where it is `path` (domain/stored-path.ts). */
    storedFilePath: text('stored_file_path'),
    /** The scan unit that the item was read with: the folder of a mixed file, the top-level entry otherwise. */
    unit: text('unit').notNull().default(''),
    title: text('title').notNull(),
    sortTitle: text('sort_title').notNull().default(''),
    searchTitle: text('search_title').notNull().default(''),
    sortNumber: real('sort_number'),
    seasonNumber: integer('season_number'),
    episodeNumber: integer('episode_number'),
    episodeNumberEnd: integer('episode_number_end'),
    volumeNumber: real('volume_number'),
    chapterNumber: real('chapter_number'),
    year: integer('year'),
    rating: real('rating'),
    airedAt: text('aired_at'),
    mediaKind: text('media_kind', { enum: MEDIA_KINDS }),
    mimeType: text('mime_type'),
    size: integer('size'),
    modifiedAt: integer('modified_at').notNull().default(0),
    /** 53-bit hash of inode and birth time (domain/scanned-item.ts). */
    identity: integer('identity'),
    /** `main_file`, in the same way. */
    storedMainFile: text('stored_main_file'),
    contentHash: text('content_hash'),
    width: integer('width'),
    height: integer('height'),
    durationSeconds: real('duration_seconds'),
    pageCount: integer('page_count'),
    thumbhash: text('thumbhash'),
    thumbnailKind: text('thumbnail_kind', { enum: ['image', 'video', 'pages'] }),
    /** `thumbnail_path`, in the same way. */
    storedThumbnailPath: text('stored_thumbnail_path'),
    thumbnailVersion: text('thumbnail_version'),
    /** `<thumbnail_version>` once the background has looked at the item's bytes, whatever came of it. */
    inspectedVersion: text('inspected_version'),
    /** Why there is no thumbnail: a code of the thumbnailer's answer. */
    inspectError: text('inspect_error'),
    childCount: integer('child_count').notNull().default(0),
    missingSince: integer('missing_since'),
    addedAt: integer('added_at').notNull().default(0),
    updatedAt: integer('updated_at').notNull().default(0),
    nfoRefreshedAt: integer('nfo_refreshed_at'),
    nfoPath: text('nfo_path'),
    nfoModifiedAt: integer('nfo_modified_at'),
    runtimeMinutes: integer('runtime_minutes'),
    /** JSON: `ScannedFile[]`, `ScannedArtwork[]`, `string[]`. Null in rows that no scan has seen since the migration. */
    files: text('files', { mode: 'json' }).$type<ScannedFile[]>(),
    artwork: text('artwork', { mode: 'json' }).$type<ScannedArtwork[]>(),
    genres: text('genres', { mode: 'json' }).$type<string[]>(),
    aiTaggedAt: integer('ai_tagged_at'),
    readingDirection: text('reading_direction', { enum: ['ltr', 'rtl', 'vertical', 'webtoon'] }),
    entry: text('entry'),
    /** What the oldest schema kept about an item, as it was (games: `{"zipFiles": [...]}`). */
    data: text('data'),
    plot: text('plot'),
    description: text('description'),
    extractedText: text('extracted_text'),
    translation: text('translation'),
    translationStale: integer('translation_stale', { mode: 'boolean' }).notNull().default(false),
    /** Counts edits of the AI texts by people, so that an older job cannot overwrite a newer edit. */
    textVersion: integer('text_version').notNull().default(0),
    /** By the file itself: a photograph's Exif, a video's header. */
    takenAt: integer('taken_at'),
    /** Whether an NFO file gave `title`, and whether `sort_title` is made from what it gave: what it did not give is a scan's. */
    titleGiven: integer('title_given', { mode: 'boolean' }).notNull().default(false),
    sortTitleGiven: integer('sort_title_given', { mode: 'boolean' }).notNull().default(false),
    /** A person left the extracted text as it is: neither emptied nor extracted anew since. */
    textEdited: integer('text_edited', { mode: 'boolean' }).notNull().default(false),
    /** When it was taken, by the file's name (domain/named-date.ts). */
    namedAt: integer('named_at'),
    /** `path` again for mixed files, null for every other type (the user's specification names this column). */
    filePath: text('file_path').generatedAlwaysAs(sql`iif(stored_file_path = '', path, stored_file_path)`),
    /** Relative to the library root: the file that `content_hash` is made from. */
    mainFile: text('main_file').generatedAlwaysAs(sql`iif(stored_main_file = '', path, stored_main_file)`),
    /** Relative to the library root: the file that the thumbnail is made from. */
    thumbnailPath: text('thumbnail_path').generatedAlwaysAs(sql`iif(stored_thumbnail_path = '', path, stored_thumbnail_path)`),
    /** A first scan has written it, and it is in none of the indexes of what the background has still to do (services/new-items.ts). */
    isNew: integer('is_new', { mode: 'boolean' }).notNull().default(false),
    /** When it was made, as well as can be told: by the file itself, by its name, or else by when it was last written. */
    datedAt: integer('dated_at').generatedAlwaysAs(sql`coalesce(taken_at, named_at, modified_at)`),
  },
  (t) => [
    uniqueIndex('media_items_item_key').on(t.itemKey),
    // These two end in the id too, as every index does by itself: rows of the same title, or of the same dates, stand in its order.
    index('media_items_by_title').on(t.libraryId, t.parentId, t.sortTitle).where(sql`missing_since IS NULL`),
    index('media_items_by_added').on(t.libraryId, t.parentId, t.addedAt, t.modifiedAt).where(sql`missing_since IS NULL`),
    // The order of photographs, which a first scan leaves to the background as well.
    index('media_items_by_taken').on(t.libraryId, t.parentId, t.datedAt).where(sql`NOT is_new AND missing_since IS NULL`),
    index('media_items_by_parent').on(t.parentId, t.sortNumber, t.sortTitle, t.id).where(sql`parent_id IS NOT NULL`),
    index('media_items_by_unit').on(t.libraryId, t.unit),
    index('media_items_missing').on(t.libraryId, t.id).where(sql`missing_since IS NOT NULL`),
    // What is still to be done of items: a tenth of a first scan would go into these, which leaves them to the background.
    index('media_items_uninspected').on(t.libraryId, t.id).where(sql`NOT is_new AND inspected_version IS NULL AND missing_since IS NULL`),
    index('media_items_playable').on(t.id).where(sql`NOT is_new AND media_kind IN ('video', 'audio') AND missing_since IS NULL`),
    index('media_items_unrendered').on(t.id).where(sql`NOT is_new AND entry IS NULL`),
    // Not `IN`, for which SQLite looks each row up in a table that it makes of the list: a tenth of a first scan. The commonest of large libraries first.
    check(
      'media_items_item_type',
      sql`item_type = 'mixed_file' OR item_type = 'manga_volume' OR item_type = 'manga_series' OR item_type = 'tv_episode' OR item_type = 'tv_season' OR item_type = 'tv_series' OR item_type = 'movie' OR item_type = 'game_series' OR item_type = 'game'`,
    ),
  ],
)
