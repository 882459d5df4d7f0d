import '../../support/solid-preload.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { replaceGlobals } from '../../support/replaced-globals.ts'

const { createRoot, createSignal } = await import('solid-js')
const { createGradually, createGrowth } = await import('../../../client/src/primitives/create-gradually.ts')

/** What waits for a browser with nothing better to do. */
let waiting: (() => void)[] = []
let restore: () => void
beforeAll(() => {
  restore = replaceGlobals({ window: { requestIdleCallback: (work: () => void) => waiting.push(work) } })
})
afterAll(() => restore())
beforeEach(() => {
  waiting = []
})
const rest = async () => {
  for (const work of waiting.splice(0)) work()
  await Bun.sleep(0)
}

const draw = (count: number, first: number) => {
  const [list, setList] = createSignal<readonly number[]>(Array.from({ length: count }, (_, index) => index))
  return createRoot((dispose) => ({ shown: createGradually(list, first), setList, dispose }))
}

test('disposal ends the growing', async () => {
  const { growth, dispose } = createRoot((end) => ({ growth: createGrowth(0, () => 3, 1), dispose: end }))
  const [grown] = growth
  await rest()
  expect(grown()).toBe(1)
  dispose()
  await rest()
  expect([grown(), waiting.length]).toEqual([1, 0])
})

test('what is set back grows again', async () => {
  const { growth, dispose } = createRoot((end) => ({ growth: createGrowth(0, () => 2, 1), dispose: end }))
  const [grown, restart] = growth
  while (waiting.length > 0) await rest()
  restart()
  const after = [grown()]
  while (waiting.length > 0) await rest()
  expect([...after, grown()]).toEqual([0, 2])
  dispose()
})

test('a list that is seen whole waits for nothing', () => {
  const { shown, dispose } = draw(3, 3)
  expect([shown().length, waiting.length]).toEqual([3, 0])
  dispose()
})

test('the rest comes bit by bit, in its order, and then nothing more is waited for', async () => {
  const { shown, dispose } = draw(9, 3)
  const lengths = [shown().length]
  while (waiting.length > 0) {
    await rest()
    lengths.push(shown().length)
  }
  expect(lengths).toEqual([3, 7, 9])
  expect(shown()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  dispose()
})

test('what comes along later is drawn, too', async () => {
  const { shown, setList, dispose } = draw(0, 2)
  setList([7, 8, 9])
  expect(shown()).toEqual([7, 8])
  await rest()
  expect(shown()).toEqual([7, 8, 9])
  dispose()
})
