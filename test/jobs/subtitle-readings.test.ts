import { expect, test } from 'bun:test'
import { createSubtitleReadings, type ReadOnce } from '../../src/jobs/subtitle-readings.ts'

/** Readings that end when they are told to, in the order in which they were begun. */
const readingsUnderWay = () => {
  const readOnce = createSubtitleReadings()
  const running = new Map<string, (text: string) => void>()
  const begun: string[] = []
  const ended: string[] = []
  const ask = (userId: number, key: string, from: ReadOnce = readOnce) => {
    const gone = new AbortController()
    const text = from(
      key,
      { userId, signal: gone.signal },
      (signal) =>
        new Promise((resolve, reject) => {
          begun.push(key)
          running.set(key, resolve)
          signal.addEventListener('abort', () => {
            running.delete(key)
            ended.push(key)
            reject(new Error('ended'))
          })
        }),
    )
    const outcome = text.catch(() => 'gone')
    return { outcome, leave: () => gone.abort() }
  }
  const finish = async (key: string): Promise<void> => {
    running.get(key)?.(`text of ${key}`)
    running.delete(key)
    await Bun.sleep(1)
  }
  return { ask, begun, ended, finish }
}

test('what the last of its askers has left is ended, and the next one begins', async () => {
  const { ask, begun, ended } = readingsUnderWay()
  const tracks = Array.from({ length: 14 }, (_, number) => ask(1, `track ${number}`))
  await Bun.sleep(1)
  for (const { leave } of tracks) leave()
  expect(await Promise.all(tracks.map(({ outcome }) => outcome))).toEqual(tracks.map(() => 'gone'))
  ask(1, 'another')
  await Bun.sleep(1)
  expect([begun, ended]).toEqual([['track 0', 'another'], ['track 0']])
})

test('one who leaves ends nothing that another waits for', async () => {
  const { ask, ended, finish } = readingsUnderWay()
  const [first, second] = [ask(1, 'film'), ask(2, 'film')]
  await Bun.sleep(1)
  first.leave()
  await finish('film')
  expect(await second.outcome).toBe('text of film')
  expect(ended).toEqual([])
})

test('one person has one reading at a time, so that others wait for none of theirs', async () => {
  const { ask, begun, finish } = readingsUnderWay()
  for (let number = 0; number < 14; number += 1) ask(1, `track ${number}`)
  const other = ask(2, 'film')
  await Bun.sleep(1)
  expect(begun).toEqual(['track 0', 'film'])
  await finish('film')
  expect(await other.outcome).toBe('text of film')
  expect(begun).toHaveLength(2)
  await finish('track 0')
  expect(begun).toEqual(['track 0', 'film', 'track 1'])
})

test('what waits behind a long row of one is read in the turn of another who asks for it', async () => {
  const { ask, begun, finish } = readingsUnderWay()
  const own = Array.from({ length: 3 }, (_, number) => ask(1, `track ${number}`))
  const other = ask(2, 'track 2')
  await Bun.sleep(1)
  expect(begun).toEqual(['track 0', 'track 2'])
  await finish('track 2')
  expect([await other.outcome, await own[2]?.outcome]).toEqual(['text of track 2', 'text of track 2'])
  for (const key of ['track 0', 'track 1']) await finish(key)
  expect(begun).toEqual(['track 0', 'track 2', 'track 1'])
})

test('who asks again after all have left gets a reading of their own', async () => {
  const { ask, begun, finish } = readingsUnderWay()
  const first = ask(1, 'film')
  await Bun.sleep(1)
  first.leave()
  const again = ask(1, 'film')
  await Bun.sleep(1)
  await finish('film')
  expect([await again.outcome, begun]).toEqual(['text of film', ['film', 'film']])
})
