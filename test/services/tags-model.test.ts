import { test } from 'bun:test'
import { runTagSequence } from '../support/tag-sequence.ts'
import { startTestApp } from '../support/test-app.ts'

const SEQUENCES = 40
const LIMIT_MS = 300_000

test(
  'tags, files and filters are as the model says after every step of many sequences',
  async () => {
    await using app = await startTestApp()
    const admin = await app.as('admin')
    for (let seed = 1; seed <= SEQUENCES; seed++) await runTagSequence(app, admin, seed)
  },
  LIMIT_MS,
)
