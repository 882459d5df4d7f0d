import '../../support/solid-preload.ts'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { replaceGlobals } from '../../support/replaced-globals.ts'

const { createRoot, createSignal } = await import('solid-js')
const { createCloseWatch } = await import('../../../client/src/primitives/close-watch.ts')

/** As browsers have it: told once, and gone with that. */
const open: CloseWatcher[] = []
class CloseWatcher {
  onclose: (() => void) | null = null
  constructor() {
    open.push(this)
  }
  destroy = () => {
    if (open.includes(this)) open.splice(open.indexOf(this), 1)
  }
}
/** Whether there was somebody to ask. */
const requestClose = (): boolean => {
  const top = open.pop()
  top?.onclose?.()
  return top !== undefined
}

let restore: () => void
beforeEach(() => {
  restore = replaceGlobals({ window: { CloseWatcher } })
})
afterEach(() => {
  restore()
  open.length = 0
})

const watchFor = (isOpen: () => boolean, onClose: () => void) =>
  createRoot((dispose) => {
    createCloseWatch(isOpen, onClose)
    return dispose
  })

test('what is open is asked to close, what is closed is not, and what goes away asks no more', () => {
  const [isOpen, setOpen] = createSignal(false)
  const dispose = watchFor(isOpen, () => setOpen(false))
  expect(requestClose()).toBe(false)
  setOpen(true)
  expect([requestClose(), isOpen(), requestClose()]).toEqual([true, false, false])
  setOpen(true)
  dispose()
  expect(requestClose()).toBe(false)
})

test('what is at work and stays open is asked again', () => {
  let asked = 0
  const dispose = watchFor(
    () => true,
    () => {
      asked += 1
    },
  )
  expect([requestClose(), requestClose(), asked, open.length]).toEqual([true, true, 2, 1])
  dispose()
  expect(open).toEqual([])
})

test('a browser without such requests is no error', () => {
  restore()
  restore = replaceGlobals({ window: {} })
  watchFor(
    () => true,
    () => undefined,
  )()
})
