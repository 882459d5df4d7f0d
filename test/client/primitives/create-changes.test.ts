import '../../support/solid-preload.ts'
import { expect, test } from 'bun:test'
import { waitFor } from '../../support/test-server.ts'

const { createComputed, createRoot, createSignal } = await import('solid-js')
const { createChanges } = await import('../../../client/src/primitives/create-changes.ts')

const LIMIT_MS = 20_000

interface Lamp {
  isOn: boolean
  colours: { red: number; blue: number }
}
interface LampChanges {
  isOn?: boolean
  colours?: Partial<Lamp['colours']>
}

const apply = (lamp: Lamp, { isOn = lamp.isOn, colours }: LampChanges): Lamp => ({ isOn, colours: { ...lamp.colours, ...colours } })

/** A server that answers when the test says so: what it was asked, in order, and what it has kept. */
const make = () =>
  createRoot((dispose) => {
    let kept: Lamp = { isOn: false, colours: { red: 0, blue: 0 } }
    const [saved, setSaved] = createSignal(kept)
    const asked: { changes: LampChanges; grant: () => void; refuse: () => void }[] = []
    const refreshes: (() => void)[] = []
    const told: string[] = []
    const { shown, change } = createChanges<Lamp, LampChanges>({
      saved,
      apply,
      save: (changes) => {
        const { promise, resolve, reject } = Promise.withResolvers<void>()
        const grant = (): void => {
          kept = apply(kept, changes)
          resolve()
        }
        asked.push({ changes, grant, refuse: () => reject(new Error('Refused.')) })
        return promise
      },
      tellRefusal: (error) => told.push(String(error)),
      refresh: () => {
        const answer = kept
        const { promise, resolve } = Promise.withResolvers<void>()
        refreshes.push(() => {
          // As the query client does it: whoever observes the answer hears of it in a task of its own.
          setTimeout(() => setSaved(answer))
          resolve()
        })
        return promise
      },
    })
    const seen: boolean[] = []
    createComputed(() => seen.push(shown().isOn))
    const request = async (index: number) => {
      await waitFor(
        () => asked[index] && true,
        LIMIT_MS,
        () => `Request ${index} never came`,
      )
      const found = asked[index]
      if (!found) throw new Error('It came and went')
      return found
    }
    const answerRefresh = async (index: number) => {
      await waitFor(
        () => refreshes[index] && true,
        LIMIT_MS,
        () => `The state was asked for ${refreshes.length} times`,
      )
      refreshes[index]?.()
    }
    const untilSaved = (state: Lamp) =>
      waitFor(
        () => Bun.deepEquals(saved(), state) || undefined,
        LIMIT_MS,
        () => `${JSON.stringify(saved())} is what came`,
      )
    return { shown, change, asked, refreshes, told, seen, request, answerRefresh, untilSaved, dispose }
  })

const lamp = (isOn: boolean, red = 0, blue = 0): Lamp => ({ isOn, colours: { red, blue } })

test('what was pressed last shows at once and holds; of many presses only the first and the last are asked for, one after the other', async () => {
  const { shown, change, asked, refreshes, seen, request, answerRefresh, untilSaved, dispose } = make()
  for (const isOn of [true, false, true, false, true]) change({ isOn })
  expect(shown()).toEqual(lamp(true))
  expect(asked.map(({ changes }) => changes)).toEqual([{ isOn: true }])
  const pressed = seen.length
  ;(await request(0)).grant()
  const last = await request(1)
  expect(last.changes).toEqual({ isOn: true })
  expect(refreshes).toHaveLength(0)
  last.grant()
  await answerRefresh(0)
  await untilSaved(lamp(true))
  await Bun.sleep(0)
  expect(asked).toHaveLength(2)
  expect(shown()).toEqual(lamp(true))
  // It has never shown anything else in between.
  expect(new Set(seen.slice(pressed - 1))).toEqual(new Set([true]))
  dispose()
})

test('a press while the state is asked for is not undone by that answer', async () => {
  const { shown, change, refreshes, request, answerRefresh, untilSaved, dispose } = make()
  change({ isOn: true })
  ;(await request(0)).grant()
  await waitFor(
    () => refreshes[0] && true,
    LIMIT_MS,
    () => 'The state was not asked for',
  )
  change({ isOn: false })
  await answerRefresh(0)
  await untilSaved(lamp(true))
  expect(shown()).toEqual(lamp(false))
  ;(await request(1)).grant()
  await answerRefresh(1)
  await untilSaved(lamp(false))
  expect(shown()).toEqual(lamp(false))
  dispose()
})

test('a refused change shows what was there before it, and takes no other one along', async () => {
  const { shown, change, told, request, answerRefresh, untilSaved, dispose } = make()
  change({ isOn: true })
  change({ colours: { red: 5 } })
  change({ colours: { blue: 7 } })
  expect(shown()).toEqual(lamp(true, 5, 7))
  ;(await request(0)).refuse()
  const red = await request(1)
  expect(shown()).toEqual(lamp(false, 5, 7))
  red.refuse()
  const blue = await request(2)
  expect(shown()).toEqual(lamp(false, 0, 7))
  blue.grant()
  await answerRefresh(0)
  await untilSaved(lamp(false, 0, 7))
  expect(shown()).toEqual(lamp(false, 0, 7))
  expect(told).toEqual(['Error: Refused.', 'Error: Refused.'])
  dispose()
})
