import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const journalShape = z.object({ entries: z.array(z.object({ idx: z.number(), when: z.number(), tag: z.string() })) })

/**
 * What would make drizzle's migrator pass over a migration without a word: it applies only entries whose `when`
 * is later than the last one applied, and it runs the text between two breakpoints as one statement.
 */
export const journalProblems = (folder: string): string[] => {
  const { entries } = journalShape.parse(JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')))
  return entries.flatMap((entry, index) => {
    const before = entries[index - 1]
    const statements = readFileSync(join(folder, `${entry.tag}.sql`), 'utf8').split('--> statement-breakpoint')
    return [
      ...(before !== undefined && entry.when <= before.when ? [`${entry.tag} is not later than ${before.tag}: it would never run.`] : []),
      ...(entry.idx === index ? [] : [`${entry.tag} has number ${entry.idx} in place ${index}.`]),
      ...(statements.some((statement) => statement.trim() === '') ? [`${entry.tag} has an empty statement.`] : []),
    ]
  })
}
