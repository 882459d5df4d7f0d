import '../../support/solid-preload.ts'
import { expect, test } from 'bun:test'

const { createRoot, createSignal } = await import('solid-js')
const { createPlaces, PATIENCE_MS } = await import('../../../client/src/primitives/create-places.ts')

const OVER_MS = PATIENCE_MS + 100

const makePlaces = (ids: readonly number[]) =>
  createRoot((dispose) => {
    const [there, setThere] = createSignal<readonly number[]>([])
    const placed = createPlaces(
      () => ids,
      (id) => there().includes(id),
    )
    return { placed, come: (...come: number[]) => setThere([...there(), ...come]), dispose }
  })

test('what comes within the time that anybody waits stands in its order', () => {
  const { placed, come, dispose } = makePlaces([1, 2, 3])
  come(3)
  come(2)
  expect(placed()).toEqual([])
  come(1)
  expect(placed()).toEqual([1, 2, 3])
  dispose()
})

test('one that is late keeps nobody waiting, and comes after what has its place', async () => {
  const { placed, come, dispose } = makePlaces([1, 2, 3, 4, 5])
  come(4, 3)
  await Bun.sleep(OVER_MS)
  expect(placed()).toEqual([3, 4])
  // Nobody waits for it a second time.
  come(2)
  expect(placed()).toEqual([3, 4, 2])
  come(5)
  come(1)
  expect(placed()).toEqual([3, 4, 2, 5, 1])
  dispose()
})

test('what is last of all is waited for as long as any other', async () => {
  const { placed, come, dispose } = makePlaces([1, 2, 3])
  come(1)
  expect(placed()).toEqual([1])
  come(3)
  await Bun.sleep(PATIENCE_MS / 3)
  expect(placed()).toEqual([1])
  await Bun.sleep(OVER_MS)
  expect(placed()).toEqual([1, 3])
  dispose()
})
