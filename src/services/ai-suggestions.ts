/**
 * What the tagger would have liked to use and the vocabulary does not have, over all jobs that are kept, for people to
 * decide about: a tag is made of it, it becomes another name of one, or it is dismissed (API.md, 9).
 *
 * Names are one where the tagger takes them for one (`looseNameKey`): what is decided of "Folk Horror" is decided of
 * "folk-horror" too, which from then on means the same tag. What a run suggested that was taken back is not asked about.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { looseNameKey, tagFinder } from '../ai/tag-match.ts'
import type { Deps } from '../deps.ts'
import { nameKey } from '../domain/name-key.ts'
import type { Viewer } from '../domain/permissions.ts'
import { slicesOf } from '../domain/slices.ts'
import { AppError } from '../errors.ts'
import { readVocabulary } from './ai-vocabulary.ts'
import { assignTags } from './tag-assignments.ts'
import { addTagMapping } from './tag-mappings.ts'
import { SLICE_ROWS } from './tag-slices.ts'
import { countUsage } from './tag-usage.ts'
import { getTag, insertTag, type UsedTag } from './tags.ts'

interface AiSuggestion {
  /** As most jobs spell it. */
  name: string
  itemCount: number
}

/** Jobs a query: some milliseconds, so that other requests get their turn in between. */
const WINDOW = 5000

/** `?1`, `?2`: the item and the job that the window begins behind. One text: as rows they would take several times as long. */
export const SUGGESTING_JOBS = `SELECT json_group_array(json_array(item_id, id, json(suggestions))) AS jobs FROM (
  SELECT item_id, id, suggestions FROM ai_jobs WHERE suggestions <> '[]' AND undone_at IS NULL AND (item_id, id) > (?1, ?2)
  ORDER BY item_id, id LIMIT ${WINDOW})`

const windowSchema = z.array(z.tuple([z.int(), z.int(), z.array(z.string())]))

/** All jobs that suggest something, a window at a time; those of one item stand one after the other. */
async function* suggestingJobs(deps: Deps) {
  for (let after: [item: number, job: number] = [0, 0], isMore = true; isMore; await nextTurn()) {
    const { rows } = await deps.db.$client.execute({ sql: SUGGESTING_JOBS, args: after })
    const jobs = windowSchema.parse(JSON.parse(String(rows[0]?.jobs)))
    const [itemId = 0, id = 0] = jobs.at(-1) ?? []
    after = [itemId, id]
    isMore = jobs.length === WINDOW
    yield jobs
  }
}

interface Tally extends AiSuggestion {
  /** How many jobs spell it as `name`. */
  spelled: number
  lastItemId: number
}

const countSuggestions = async (deps: Deps): Promise<Tally[]> => {
  const tallies = new Map<string, Tally>()
  const spellings = new Map<string, { tally: Tally; jobs: number }>()
  const tallyOf = (name: string): Tally =>
    tallies.getOrInsertComputed(looseNameKey(name), () => ({ name, itemCount: 0, spelled: 0, lastItemId: 0 }))
  const count = (itemId: number, name: string): void => {
    const spelling = spellings.getOrInsertComputed(name, () => ({ tally: tallyOf(name), jobs: 0 }))
    const { tally } = spelling
    spelling.jobs += 1
    if (spelling.jobs > tally.spelled) Object.assign(tally, { name, spelled: spelling.jobs })
    if (tally.lastItemId !== itemId) tally.itemCount += 1
    tally.lastItemId = itemId
  }
  for await (const jobs of suggestingJobs(deps)) for (const [itemId, , names] of jobs) for (const name of names) count(itemId, name)
  return [...tallies.values()]
}

/** Most items first, then by name. What the tagger would know by now is left out. */
export const listSuggestions = async (deps: Deps, limit: number): Promise<AiSuggestion[]> => {
  const counted = (await countSuggestions(deps)).map(({ name, itemCount }) => ({ name, itemCount, key: nameKey(name) }))
  if (counted.length === 0) return []
  const find = tagFinder(await readVocabulary(deps))
  counted.sort((a, b) => b.itemCount - a.itemCount || (a.key < b.key ? -1 : 1))
  const suggestions: AiSuggestion[] = []
  for (const { name, itemCount } of counted) {
    if (suggestions.length === limit) break
    if (!find(name)) suggestions.push({ name, itemCount })
  }
  return suggestions
}

/** The jobs that suggest this name, their items, and how they spell it. */
const findSuggesting = async (deps: Deps, name: string): Promise<{ jobIds: number[]; itemIds: number[]; spellings: string[] }> => {
  const key = looseNameKey(name)
  const [jobIds, itemIds, spellings] = [new Set<number>(), new Set<number>(), new Set<string>()]
  for await (const jobs of suggestingJobs(deps))
    for (const [itemId, id, names] of jobs)
      for (const spelling of names.filter((own) => looseNameKey(own) === key)) {
        jobIds.add(id)
        itemIds.add(itemId)
        spellings.add(spelling)
      }
  return { jobIds: [...jobIds], itemIds: [...itemIds], spellings: [...spellings] }
}

/** Whose other name it becomes, or the category where a tag of that name is made. */
type AcceptedSuggestion = { name: string } & ({ tagId: number } | { categoryId: number })

/**
 * The tag exists, and stands for the name, before it is put on the first item, in one transaction with it; thousands of items are
 * done in slices, each of them whole. Throws `not_found` where no job suggests the name, or the tag or category does not
 * exist, and `duplicate_name` where the name is another tag's by now.
 */
export const acceptSuggestion = async (
  deps: Deps,
  viewer: Viewer,
  accepted: AcceptedSuggestion,
): Promise<{ tag: UsedTag; assigned: number }> => {
  const { name } = accepted
  const { itemIds } = await findSuggesting(deps, name)
  if (itemIds.length === 0) throw new AppError('not_found', 'No job suggests that name.')
  const known = tagFinder(await readVocabulary(deps))(name)
  const isOwn = known !== undefined && 'tagId' in accepted && known.id === accepted.tagId
  if (known && !isOwn) throw new AppError('duplicate_name', `That name stands for the tag "${known.name}" already.`)
  let tagId = 0
  let assigned = 0
  for (let start = 0; start < itemIds.length; start += SLICE_ROWS)
    assigned += await deps.write.transaction(async (tx) => {
      if (start === 0 && 'tagId' in accepted) {
        tagId = (await getTag(tx, accepted.tagId)).id
        if (!isOwn) await addTagMapping(tx, { source: name, tagId })
      } else if (start === 0 && 'categoryId' in accepted) tagId = await insertTag(tx, { name, categoryId: accepted.categoryId })
      return assignTags(tx, { itemIds: itemIds.slice(start, start + SLICE_ROWS), tagIds: [tagId], source: 'ai', createdBy: null })
    })
  return { tag: { ...(await getTag(deps.db, tagId)), usage: await countUsage(deps, viewer, tagId) }, assigned }
}

/** `?1`: the jobs, `?2`: the spellings. */
export const FORGET_SPELLINGS = `UPDATE ai_jobs SET suggestions = (SELECT json_group_array(value) FROM json_each(ai_jobs.suggestions)
    WHERE value NOT IN (SELECT value FROM json_each(?2)))
  WHERE id IN (SELECT value FROM json_each(?1))`

/** A job that suggests it later brings it back: what a model says again may be worth another look. */
export const dismissSuggestion = async (deps: Deps, name: string): Promise<void> => {
  const { jobIds, spellings } = await findSuggesting(deps, name)
  for (const slice of slicesOf(jobIds, SLICE_ROWS))
    await deps.write.batch([{ sql: FORGET_SPELLINGS, args: [JSON.stringify(slice), JSON.stringify(spellings)] }])
}
