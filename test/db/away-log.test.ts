import { expect, test } from 'bun:test'
import { LibsqlError } from '@libsql/client'
import { withoutEachAway } from '../../src/db/away-log.ts'
import { createLog } from '../../src/log.ts'

test('while the database is away the log says of each event once in a while that it is, and how often, and everything else as ever', async () => {
  const lines: Record<string, unknown>[] = []
  const log = withoutEachAway(
    createLog('info', (line) => {
      const { time, ...said } = JSON.parse(line)
      lines.push(said)
    }),
    100,
  )
  const away = new Error('Failed query: select 1', { cause: new LibsqlError('The operation timed out.', 'SERVER_ERROR') })
  for (let round = 0; round < 3; round += 1) log.error('request_failed', { path: '/api/browse', error: away })
  log.warn('session_write_failed', { error: away })
  log.error('request_failed', { error: new Error('A fault of ours') })
  await Bun.sleep(120)
  log.error('request_failed', { path: '/api/items', error: away })
  const reason = 'SERVER_ERROR: The operation timed out.'
  expect(lines).toEqual([
    { level: 'error', event: 'request_failed', path: '/api/browse', reason },
    { level: 'warn', event: 'session_write_failed', reason },
    { level: 'error', event: 'request_failed', error: expect.objectContaining({ message: 'A fault of ours', stack: expect.any(String) }) },
    { level: 'error', event: 'request_failed', path: '/api/items', reason, unsaid: 2 },
  ])
})
