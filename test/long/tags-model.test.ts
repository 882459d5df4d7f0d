import { test } from 'bun:test'
import { runTagSequence } from '../support/tag-sequence.ts'
import { startTestApp } from '../support/test-app.ts'

/** The short form is services/tags-model.test.ts, with the first of these seeds. */
const SEQUENCES = 5000
const SEQUENCES_A_DATABASE = 250
const LIMIT_MS = 3_600_000

test(
  'tags, files and filters are as the model says after every step of five thousand sequences',
  async () => {
    for (let first = 1; first <= SEQUENCES; first += SEQUENCES_A_DATABASE) {
      await using app = await startTestApp()
      const admin = await app.as('admin')
      for (let seed = first; seed < first + SEQUENCES_A_DATABASE; seed++) await runTagSequence(app, admin, seed)
    }
  },
  LIMIT_MS,
)
