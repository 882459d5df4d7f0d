import { beforeEach, expect, test } from 'bun:test'
import { createStreamPlaces } from '../../src/http/stream-places.ts'

/** SECURITY, 1 E. */
const [EACH, ALL, WAITING] = [20, 200, 200]

let take: ReturnType<typeof createStreamPlaces>
beforeEach(() => {
  take = createStreamPlaces({ each: EACH, all: ALL })
})

const never = new AbortController().signal
const takeMany = (count: number, userId: number) => Promise.all(Array.from({ length: count }, () => take({ userId, signal: never })))
const stateOf = (place: Promise<unknown>): Promise<string> => Promise.race([place.then(() => 'taken'), Bun.sleep(10).then(() => 'waiting')])

test('whoever has too many waiting is refused, and nobody else', async () => {
  await takeMany(EACH, 1)
  const waiting = Array.from({ length: WAITING }, () => take({ userId: 1, signal: never }))
  await expect(take({ userId: 1, signal: never })).rejects.toMatchObject({ code: 'rate_limited' })
  expect(await stateOf(Promise.race(waiting))).toBe('waiting')
  await takeMany(EACH, 2)
})

test('whoever has as many as one may have waits until one of them ends', async () => {
  const [leave] = await takeMany(EACH, 1)
  const [next, afterNext] = [take({ userId: 1, signal: never }), take({ userId: 1, signal: never })]
  expect(await stateOf(next)).toBe('waiting')
  leave?.()
  leave?.()
  expect([await stateOf(next), await stateOf(afterNext)]).toEqual(['taken', 'waiting'])
})

test('whoever comes when all places are taken waits until one of anybody’s ends', async () => {
  const [leave] = (await Promise.all(Array.from({ length: ALL / EACH }, (_, person) => takeMany(EACH, person)))).flat()
  const next = take({ userId: 99, signal: never })
  expect(await stateOf(next)).toBe('waiting')
  leave?.()
  expect(await stateOf(next)).toBe('taken')
})

test('whoever goes while waiting takes no place', async () => {
  const [leave] = await takeMany(EACH, 1)
  const gone = new AbortController()
  const [left, next] = [take({ userId: 1, signal: gone.signal }), take({ userId: 1, signal: never })]
  gone.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  leave?.()
  expect(await stateOf(next)).toBe('taken')
})

test('whoever has gone does not count as waiting', async () => {
  await takeMany(EACH, 1)
  const gone = new AbortController()
  const left = Array.from({ length: WAITING }, () => take({ userId: 1, signal: gone.signal }))
  gone.abort(new Error('gone'))
  expect((await Promise.allSettled(left)).map(({ status }) => status)).toEqual(Array(WAITING).fill('rejected'))
  expect(await stateOf(take({ userId: 1, signal: never }))).toBe('waiting')
})
