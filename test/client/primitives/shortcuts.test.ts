import '../../support/solid-preload.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { Window } from 'happy-dom'
import { replaceGlobals } from '../../support/replaced-globals.ts'

const { createRoot } = await import('solid-js')
const { createShortcut } = await import('../../../client/src/primitives/shortcuts.ts')
const { createShortcutKeys } = await import('../../../client/src/primitives/shortcut-keys.ts')

const window = new Window()
let restore: () => void
beforeAll(() => {
  restore = replaceGlobals({ document: window.document, HTMLElement: window.HTMLElement })
})
afterAll(async () => {
  restore()
  await window.happyDOM.close()
})
beforeEach(() => {
  window.document.body.replaceChildren()
  for (const [id, type] of Object.entries({ field: 'text', box: 'checkbox' })) add('input', { id, type })
})

const add = (name: string, attributes: Record<string, string>) => {
  const element = window.document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  window.document.body.append(element)
}

const press = (key: string, target = '#nowhere', modifiers: { shiftKey?: boolean; ctrlKey?: boolean } = {}) => {
  const element = window.document.querySelector(target) ?? window.document.body
  const event = { key, code: `Key${key.toUpperCase()}`, bubbles: true, cancelable: true, ...modifiers }
  element.dispatchEvent(new window.KeyboardEvent('keydown', event))
}

const listen = (names: readonly ('filters' | 'goHome' | 'larger' | 'smaller')[] = ['filters']) =>
  createRoot((dispose) => {
    const done: string[] = []
    createShortcutKeys()
    for (const name of names) createShortcut(name, () => done.push(name))
    return { done, dispose }
  })

/** What is mounted is listening after the present turn. */
const settle = () => Bun.sleep(1)

test('in a field a key is a letter, and in a dialog it belongs to the dialog', async () => {
  const { done, dispose } = listen()
  await settle()
  press('f', '#field')
  add('div', { role: 'dialog' })
  press('f')
  expect(done).toEqual([])
  dispose()
})

test('a player or a reader that fills the screen has keys of its own', async () => {
  const { done, dispose } = listen()
  await settle()
  add('div', { 'data-own-keys': '' })
  press('f')
  expect(done).toEqual([])
  dispose()
})

test('elsewhere it is done, also from a box that is ticked by other keys', async () => {
  const { done, dispose } = listen()
  await settle()
  press('f')
  press('f', '#box')
  expect(done).toEqual(['filters', 'filters'])
  dispose()
})

test('two keys one after the other are one step, and the second alone is none', async () => {
  const { done, dispose } = listen(['goHome'])
  await settle()
  press('h')
  press('g')
  press('h')
  expect(done).toEqual(['goHome'])
  dispose()
})

test('cards grow by plus on every keyboard, and shrink by minus; the browser keeps its own zoom', async () => {
  const { done, dispose } = listen(['larger', 'smaller'])
  await settle()
  press('+', undefined, { ctrlKey: true })
  expect(done).toEqual([])
  press('+', undefined, { shiftKey: true })
  press('+')
  press('=')
  press('-')
  expect(done).toEqual(['larger', 'larger', 'larger', 'smaller'])
  dispose()
})

test('the screen that came last is asked, and the one before it again when it is gone', async () => {
  const first = listen()
  const second = createRoot((dispose) => {
    const done: string[] = []
    createShortcut('filters', () => done.push('second'))
    return { done, dispose }
  })
  await settle()
  press('f')
  second.dispose()
  press('f')
  expect([first.done, second.done]).toEqual([['filters'], ['second']])
  first.dispose()
})

test('disposal stops the keys', async () => {
  const { done, dispose } = listen()
  await settle()
  dispose()
  press('f')
  expect(done).toEqual([])
})
