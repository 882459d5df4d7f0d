/** The vocabulary of the tagger, as it is now. */

import { z } from 'zod'
import type { VocabularyTag } from '../ai/vocabulary.ts'
import type { Deps } from '../deps.ts'

const vocabularySchema: z.ZodType<VocabularyTag[]> = z.array(
  z.object({ id: z.number(), name: z.string(), category: z.string(), usage: z.number(), aliases: z.array(z.string()) }),
)

/** One text, so that it can be told from the one before without being parsed. */
const READ = `SELECT json_group_array(json_object('id', t.id, 'name', t.name, 'category', c.name,
    'usage', coalesce((SELECT sum(u.assigned) FROM library_tags u WHERE u.tag_id = t.id), 0),
    'aliases', (SELECT json_group_array(g.source) FROM tag_mappings g WHERE g.tag_id = t.id)) ORDER BY t.id) AS vocabulary
  FROM tags t JOIN tag_categories c ON c.id = t.category_id`

const readText = async (deps: Pick<Deps, 'db'>): Promise<string> => {
  const { rows } = await deps.db.$client.execute(READ)
  return String(rows[0]?.vocabulary ?? '[]')
}

const parse = (text: string): VocabularyTag[] => vocabularySchema.parse(JSON.parse(text))

/** What is added later is not offered, and what is gone by then is not applied. */
export const readVocabulary = async (deps: Pick<Deps, 'db'>): Promise<VocabularyTag[]> => parse(await readText(deps))

/** A batch of thousands of jobs reads it this often, and not with each claim. */
const BELIEVED_MS = 500

export interface VocabularyReader {
  /** The same array for as long as nothing has changed. */
  read(): Promise<VocabularyTag[]>
  /** Somebody asks for something: the next read is of now. */
  forget(): void
}

export const createVocabularyReader = (deps: Pick<Deps, 'db'>): VocabularyReader => {
  let text = '[]'
  let vocabulary: VocabularyTag[] = []
  let readAt = Number.NEGATIVE_INFINITY
  return {
    read: async () => {
      if (performance.now() - readAt < BELIEVED_MS) return vocabulary
      const startedAt = performance.now()
      const now = await readText(deps)
      if (now !== text) vocabulary = parse(now)
      text = now
      readAt = startedAt
      return vocabulary
    },
    forget: () => {
      readAt = Number.NEGATIVE_INFINITY
    },
  }
}
