/** The vocabulary of the tagger, as it is now. */

import { z } from 'zod'
import type { VocabularyTag } from '../ai/vocabulary.ts'
import type { Deps } from '../deps.ts'

type UncountedTag = Omit<VocabularyTag, 'usage'>

const tagsSchema: z.ZodType<UncountedTag[]> = z.array(
  z.object({ id: z.number(), name: z.string(), category: z.string(), aliases: z.array(z.string()) }),
)
const usagesSchema: z.ZodType<number[]> = z.array(z.number())

/** Texts, so that they can be told from the ones before without being parsed. */
const READ = `SELECT
    json_group_array(json_object('id', t.id, 'name', t.name, 'category', c.name,
      'aliases', (SELECT json_group_array(g.source) FROM tag_mappings g WHERE g.tag_id = t.id)) ORDER BY t.id) AS tags,
    json_group_array(coalesce((SELECT sum(u.assigned) FROM library_tags u WHERE u.tag_id = t.id), 0) ORDER BY t.id) AS usages
  FROM tags t JOIN tag_categories c ON c.id = t.category_id`

interface VocabularyTexts {
  tags: string
  /** Assignments of each tag. */
  usages: string
}

const readTexts = async (deps: Pick<Deps, 'db'>): Promise<VocabularyTexts> => {
  const { rows } = await deps.db.$client.execute(READ)
  return { tags: String(rows[0]?.tags ?? '[]'), usages: String(rows[0]?.usages ?? '[]') }
}

const parse = ({ tags, usages }: VocabularyTexts): VocabularyTag[] => {
  const counts = usagesSchema.parse(JSON.parse(usages))
  return tagsSchema.parse(JSON.parse(tags)).map((tag, place) => ({ ...tag, usage: counts[place] ?? 0 }))
}

/** What is added later is not offered, and what is gone by then is not applied. */
export const readVocabulary = async (deps: Pick<Deps, 'db'>): Promise<VocabularyTag[]> => parse(await readTexts(deps))

/** A batch of thousands of jobs reads it this often, and not with each claim. */
const BELIEVED_MS = 500
/** Each job changes how often tags are used, which tags are used most seldom; to look through 40,000 of them takes a second. */
const USAGE_BELIEVED_MS = 60_000

interface VocabularyReader {
  /** The same array for as long as no tag has changed; how often they are used may be of a minute ago. */
  read(): Promise<VocabularyTag[]>
  /** Somebody asks for something: the next read is of now. */
  forget(): void
}

export const createVocabularyReader = (deps: Pick<Deps, 'db'>, now: () => number = () => performance.now()): VocabularyReader => {
  let known: VocabularyTexts = { tags: '[]', usages: '[]' }
  let vocabulary: VocabularyTag[] = []
  let readAt = Number.NEGATIVE_INFINITY
  let countedAt = Number.NEGATIVE_INFINITY
  return {
    read: async () => {
      const startedAt = now()
      if (startedAt - readAt < BELIEVED_MS) return vocabulary
      const found = await readTexts(deps)
      const isCounted = startedAt - countedAt < USAGE_BELIEVED_MS
      if (found.tags !== known.tags || (found.usages !== known.usages && !isCounted)) {
        vocabulary = parse(found)
        known = found
        countedAt = startedAt
      }
      readAt = startedAt
      return vocabulary
    },
    forget: () => {
      readAt = Number.NEGATIVE_INFINITY
    },
  }
}
