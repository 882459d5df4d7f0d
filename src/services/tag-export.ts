/** All tags and assignments as a file that imports to the same state (API.md, 8). */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '../deps.ts'
import type { Gate } from '../domain/gate.ts'
import type { Viewer } from '../domain/permissions.ts'
import type { DeclaredLibrary, TagText } from '../domain/tag-file.ts'
import type { TagSource } from '../domain/tag-source.ts'
import { clause } from './clause.ts'
import { loadVocabulary } from './tag-names.ts'
import { createTurns } from './turns.ts'
import { inLibraries, visibleLibraryIds } from './visible.ts'

/** Items a query, so that a large file is written while other requests get their turn. */
const WINDOW = 2000

interface ExportedTag {
  id: number
  name: string
  aliases: string[]
}

interface ExportedCategory {
  name: string
  color: string | null
  tags: ExportedTag[]
}

const arrayOf = (json: unknown): unknown[] => {
  const values: unknown = JSON.parse(String(json))
  return Array.isArray(values) ? values : []
}

const readCategories = async (deps: Deps): Promise<ExportedCategory[]> => {
  const { rows } =
    await deps.db.$client.execute(`SELECT c.id AS categoryId, c.name AS categoryName, c.color AS color, t.id AS id, t.name AS name,
      (SELECT json_group_array(source ORDER BY source_key) FROM tag_mappings WHERE tag_id = t.id) AS aliases
    FROM tag_categories c LEFT JOIN tags t ON t.category_id = c.id ORDER BY c.name_key, t.name_key`)
  const categories = new Map<number, ExportedCategory>()
  for (const row of rows) {
    const category = categories.getOrInsertComputed(Number(row.categoryId), () => ({
      name: String(row.categoryName),
      color: row.color === null ? null : String(row.color),
      tags: [],
    }))
    if (row.id === null) continue
    const aliases = arrayOf(row.aliases).filter((alias) => typeof alias === 'string')
    category.tags.push({ id: Number(row.id), name: String(row.name), aliases })
  }
  return [...categories.values()]
}

/** How a tag is called in the file, and which place it has in the order of categories and names. */
interface Named {
  text: TagText
  place: number
}

/** In one text, but where that would also mean another tag. */
const namesById = async (deps: Deps, categories: readonly ExportedCategory[]): Promise<Map<number, Named>> => {
  const vocabulary = await loadVocabulary(deps.db)
  const names = new Map<number, Named>()
  const turns = createTurns()
  for (const { name: category, tags } of categories)
    for (const { id, name: tag } of tags) {
      const meaning = vocabulary.resolve(`${category}/${tag}`)
      const isPlain = typeof meaning === 'object' && meaning.tagId === id
      names.set(id, { place: names.size, text: isPlain ? `${category}/${tag}` : { category, tag } })
      await turns()
    }
  return names
}

const textsOf = (tagIds: readonly number[], names: ReadonlyMap<number, Named>): TagText[] =>
  tagIds
    .flatMap((id) => names.get(id) ?? [])
    .sort((a, b) => a.place - b.place)
    .map(({ text }) => text)

interface Listing {
  names: ReadonlyMap<number, Named>
  libraryIds: readonly number[] | null
  /** Only assignments of this source. */
  source?: TagSource
}

/** The last item of the next window; null where there is none. */
const lastOfWindow = async (deps: Deps, after: number): Promise<number | null> => {
  const { rows } = await deps.db.$client.execute({
    sql: `SELECT max(item_id) AS last FROM (SELECT DISTINCT item_id FROM item_tags WHERE item_id > ? ORDER BY item_id LIMIT ${WINDOW})`,
    args: [after],
  })
  const last = rows[0]?.last
  return typeof last === 'number' ? last : null
}

/** The entries of an `assignments` list, with commas between them. Missing items keep their tags, so they are in the file. */
async function* assignmentsText(deps: Deps, { names, libraryIds, source }: Listing): AsyncGenerator<string> {
  const there = inLibraries(libraryIds)
  let separator = ''
  for (let after = 0, last = await lastOfWindow(deps, 0); last !== null; after = last, last = await lastOfWindow(deps, last)) {
    const { rows } = await deps.db.$client.execute({
      sql: `SELECT m.item_key AS itemKey, json_group_array(it.tag_id) AS tagIds FROM item_tags it JOIN media_items m ON m.id = it.item_id
        WHERE it.item_id > ? AND it.item_id <= ? AND ${there.sql} ${source ? 'AND it.source = ?' : ''} GROUP BY m.id ORDER BY m.id`,
      args: [after, last, ...there.args, ...(source ? [source] : [])],
    })
    const entries = rows.map(({ itemKey, tagIds }) => {
      const ids = arrayOf(tagIds).filter((id) => typeof id === 'number')
      return JSON.stringify({ itemKey, tags: textsOf(ids, names) })
    })
    // Also where a window holds nothing: hardly any assignment comes from an import.
    await nextTurn()
    if (entries.length === 0) continue
    yield `${separator}\n${entries.join(',\n')}`
    separator = ','
  }
}

/** So that the keys can be told when a library has been made again under another number. */
const declaredLibraries = async (deps: Deps, libraryIds: readonly number[] | null): Promise<DeclaredLibrary[]> => {
  const there = inLibraries(libraryIds, 'id')
  const { rows } = await deps.db.$client.execute(clause`SELECT id, name, type FROM libraries WHERE ${there} ORDER BY id`)
  return rows.map(({ id, name, type }) => ({ id: Number(id), name: String(name), type: String(type) }))
}

async function* exportText(deps: Deps, libraryIds: readonly number[] | null): AsyncGenerator<string> {
  const categories = await readCategories(deps)
  const names = await namesById(deps, categories)
  yield '{"categories":['
  for (const [index, { name, color, tags }] of categories.entries()) {
    const listed = tags.map((tag) => ({ name: tag.name, aliases: tag.aliases }))
    yield `${index === 0 ? '' : ','}\n${JSON.stringify({ name, color, tags: listed })}`
  }
  yield '\n],\n"assignments":['
  yield* assignmentsText(deps, { names, libraryIds })
  yield '\n],\n"sources":{"default":"user","ai":['
  yield* assignmentsText(deps, { names, libraryIds, source: 'ai' })
  yield '],"import":['
  yield* assignmentsText(deps, { names, libraryIds, source: 'import' })
  yield `]},\n"libraries":${JSON.stringify(await declaredLibraries(deps, libraryIds))}}\n`
}

const streamOf = (pieces: AsyncGenerator<string>, inTurn: Gate): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await inTurn(() => pieces.next())
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: async () => void (await pieces.return(undefined)),
  })
}

interface TagExport {
  /** Changes with the text. */
  version: string
  stream: () => ReadableStream<Uint8Array>
}

/** Of the libraries that the person may see, or of one of them. Read once for its version and once to be sent: it is never in memory as a whole. */
export const exportTags = async (
  deps: Deps,
  viewer: Viewer,
  { libraryId, signal }: { libraryId?: number; signal?: AbortSignal },
): Promise<TagExport> => {
  const libraryIds = await visibleLibraryIds(deps, viewer, libraryId)
  const inTurn = deps.places.inExportOf(viewer.userId)
  const readVersion = async (): Promise<string> => {
    const hasher = new Bun.CryptoHasher('sha256')
    for await (const piece of exportText(deps, libraryIds)) {
      signal?.throwIfAborted()
      hasher.update(piece)
    }
    return hasher.digest('base64url')
  }
  return { version: await inTurn(readVersion, signal), stream: () => streamOf(exportText(deps, libraryIds), inTurn) }
}
