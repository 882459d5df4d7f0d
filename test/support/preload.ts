/** Runs before every test file. */

import { setDefaultTimeout } from 'bun:test'

/** What the code under test logs in this process stays out of the report. */
process.env.LOG_LEVEL ??= 'error'

/** A test fails by what it sees. The clock only ends one that hangs: a busy machine is no failure. */
const TEST_LIMIT_MS = 60_000

setDefaultTimeout(TEST_LIMIT_MS)
