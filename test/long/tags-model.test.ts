import { test } from 'bun:test'
import { runTagSequence } from '../support/tag-sequence.ts'
import { startTestApp } from '../support/test-app.ts'

/** The short form is services/tags-model.test.ts, with the first of these seeds. */
const SEQUENCES = 5000
/** A database that has seen more of them is no other case, but slower. */
const SEQUENCES_A_DATABASE = 250
const LIMIT_MS = 900_000

const firstSeeds = Array.from({ length: SEQUENCES / SEQUENCES_A_DATABASE }, (_, part) => 1 + part * SEQUENCES_A_DATABASE)

test.each(firstSeeds)(
  'tags, files and filters are as the model says after every step of the 250 sequences from seed %d',
  async (first) => {
    await using app = await startTestApp()
    const admin = await app.as('admin')
    for (let seed = first; seed < first + SEQUENCES_A_DATABASE; seed++) await runTagSequence(app, admin, seed)
  },
  LIMIT_MS,
)
