import '../../support/solid-preload.ts'
import { expect, test } from 'bun:test'

const { createRoot, createSignal } = await import('solid-js')
const { createCrumbs, crumbs } = await import('../../../client/src/primitives/crumbs.ts')

const show = (name: string) =>
  createRoot((dispose) => {
    const [label, setLabel] = createSignal(name)
    createCrumbs(() => [{ label: label(), href: '/' }])
    return { setLabel, dispose }
  })
const shown = () => crumbs().map(({ label }) => label)

test('a screen that goes takes its own way along, and not that of the one after it', () => {
  const first = show('Films')
  const second = show('Series')
  first.dispose()
  expect(shown()).toEqual(['Series'])
  second.dispose()
  expect(shown()).toEqual([])
})

test('a way that changes is shown anew', () => {
  const screen = show('Films')
  screen.setLabel('Pictures')
  expect(shown()).toEqual(['Pictures'])
  screen.dispose()
  expect(shown()).toEqual([])
})
