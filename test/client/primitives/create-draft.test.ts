import '../../support/solid-preload.ts'
import { expect, test } from 'bun:test'

const { createRoot, createSignal } = await import('solid-js')
const { createDraft } = await import('../../../client/src/primitives/create-draft.ts')

const withDraft = (check: (parts: ReturnType<typeof make>) => void): void =>
  createRoot((dispose) => {
    try {
      check(make())
    } finally {
      dispose()
    }
  })

const make = () => {
  const [saved, save] = createSignal({ name: 'a', inner: { size: 1 } })
  return { saved, save, draft: createDraft(saved) }
}

test('a draft that nobody has touched follows what is saved', () => {
  withDraft(({ save, draft }) => {
    expect(draft.isDirty()).toBe(false)
    save({ name: 'b', inner: { size: 2 } })
    expect(draft.fields).toEqual({ name: 'b', inner: { size: 2 } })
    expect(draft.isDirty()).toBe(false)
  })
})

test('what was typed stays when something else is saved meanwhile, and is dropped by going back', () => {
  withDraft(({ save, draft }) => {
    draft.set('inner', 'size', 7)
    expect(draft.isDirty()).toBe(true)
    save({ name: 'b', inner: { size: 2 } })
    expect(draft.fields).toEqual({ name: 'a', inner: { size: 7 } })
    draft.reset()
    expect(draft.fields).toEqual({ name: 'b', inner: { size: 2 } })
    expect(draft.isDirty()).toBe(false)
  })
})

test('typing changes nothing of what is saved, and typing it back is no change', () => {
  withDraft(({ saved, draft }) => {
    draft.set('inner', 'size', 7)
    expect(saved().inner.size).toBe(1)
    draft.set('inner', 'size', 1)
    expect(draft.isDirty()).toBe(false)
  })
})

test('it ends with what it belongs to', () => {
  const { draft, save } = createRoot((dispose) => {
    const parts = make()
    dispose()
    return parts
  })
  save({ name: 'b', inner: { size: 2 } })
  expect(draft.fields.name).toBe('a')
})
