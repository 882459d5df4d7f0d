import '../../support/solid-preload.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { Window } from 'happy-dom'
import { replaceGlobals } from '../../support/replaced-globals.ts'

const { createRoot, createSignal } = await import('solid-js')
const { createVirtualRows } = await import('../../../client/src/primitives/create-virtual-rows.ts')

const page = new Window({ width: 800, height: 600 })
const ROW_HEIGHT = 100

/** An observer that says nothing by itself, and knows whether it is still listened to. */
class FakeObserver {
  static connected = 0
  observe(): void {
    FakeObserver.connected += 1
  }
  disconnect(): void {
    FakeObserver.connected -= 1
  }
}

/** What waits for a browser with nothing better to do. */
const waiting: (() => void)[] = []
const rest = async () => {
  while (waiting.length > 0) {
    for (const work of waiting.splice(0)) work()
    await Bun.sleep(0)
  }
}

let restore: () => void
beforeAll(() => {
  Object.assign(page, { requestIdleCallback: (work: () => void) => waiting.push(work) })
  restore = replaceGlobals({ window: page, document: page.document, ResizeObserver: FakeObserver })
})
afterAll(async () => {
  restore()
  await page.happyDOM.close()
})

const scrollTo = (top: number) => {
  page.scrollTo({ top })
  page.dispatchEvent(new page.Event('scroll'))
}
beforeEach(() => scrollTo(0))

const makeRows = async (count = 1000, isAtRest = true) => {
  const [rowCount, setRowCount] = createSignal(count)
  const [pinnedRow, setPinnedRow] = createSignal(0)
  const container = document.createElement('div')
  const made = createRoot((dispose) => ({
    ...createVirtualRows({ container: () => container, rowCount, rowHeight: () => ROW_HEIGHT, pinnedRow }),
    dispose,
    setRowCount,
    setPinnedRow,
  }))
  // What is mounted is listening after the present turn.
  await Bun.sleep(1)
  if (isAtRest) await rest()
  return made
}

test('disposal stops the listening', async () => {
  const { rows, dispose } = await makeRows()
  const seen = rows()
  expect(FakeObserver.connected).toBe(1)
  dispose()
  scrollTo(50_000)
  expect(rows()).toBe(seen)
  expect(FakeObserver.connected).toBe(0)
})

test('without rows there is none, not even the one that holds the tab stop', async () => {
  const { rows, lastRow, height, dispose } = await makeRows(0)
  expect([rows(), lastRow(), height()]).toEqual([[], -1, 0])
  dispose()
})

test('what nobody sees yet comes when there is time for it', async () => {
  const { rows, dispose } = await makeRows(1000, false)
  expect(rows()).toEqual([0, 1, 2, 3, 4, 5, 6])
  await rest()
  expect(rows()).toHaveLength(11)
  dispose()
})

test('after a jump only what is seen is drawn at once; row by row what was drawn stays', async () => {
  const { rows, dispose } = await makeRows()
  scrollTo(100)
  expect(rows()).toHaveLength(12)
  scrollTo(50_000)
  expect(rows()).toEqual([0, ...Array.from({ length: 7 }, (_, offset) => 500 + offset)])
  await rest()
  expect(rows()).toHaveLength(16)
  dispose()
})

test('only rows in the window and four on either side are drawn, wherever it is', async () => {
  const { rows, lastRow, height, dispose } = await makeRows()
  expect(rows()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  scrollTo(50_000)
  await rest()
  expect(rows()).toEqual([0, ...Array.from({ length: 15 }, (_, offset) => 496 + offset)])
  expect(lastRow()).toBe(510)
  expect(height()).toBe(1000 * ROW_HEIGHT)
  dispose()
})

test('the row of the tab stop stays drawn, on the side where it is', async () => {
  const { rows, setPinnedRow, dispose } = await makeRows()
  scrollTo(50_000)
  await rest()
  setPinnedRow(900)
  expect([rows()[0], rows().at(-1)]).toEqual([496, 900])
  setPinnedRow(500)
  expect(rows()).toHaveLength(15)
  dispose()
})

test('scrolling within a row changes nothing, and rows that come along at the end are drawn', async () => {
  const { rows, setRowCount, dispose } = await makeRows(8)
  const seen = rows()
  scrollTo(99)
  expect(rows()).toBe(seen)
  setRowCount(9)
  expect(rows()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  dispose()
})

test('a higher window has more rows', async () => {
  const { rows, dispose } = await makeRows()
  page.happyDOM.setViewport({ width: 800, height: 1200 })
  expect(rows()).toHaveLength(17)
  page.happyDOM.setViewport({ width: 800, height: 600 })
  dispose()
})
