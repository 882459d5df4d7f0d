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

test('what was typed stays when something else is saved meanwhile, which the rest follows; going back drops it', () => {
  withDraft(({ save, draft }) => {
    draft.set('inner', 'size', 7)
    expect(draft.isDirty()).toBe(true)
    save({ name: 'b', inner: { size: 2 } })
    expect(draft.fields).toEqual({ name: 'b', inner: { size: 7 } })
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

test('saving undoes nothing that somebody else has saved since the form was read', async () => {
  const { draft } = createRoot(() => make())
  draft.set('inner', 'size', 7)
  const written: unknown[] = []
  await draft.save(
    async () => ({ name: 'theirs', inner: { size: 1 } }),
    async (fields) => {
      written.push(structuredClone(fields))
      return fields
    },
  )
  expect(written).toEqual([{ name: 'theirs', inner: { size: 7 } }])
  expect(draft.fields).toEqual({ name: 'theirs', inner: { size: 7 } })
})

test('what is saved is shown as the server has it, and what was typed meanwhile stays', async () => {
  const { draft, saved, save } = createRoot(() => make())
  draft.set({ name: ' b ' })
  await draft.save(
    async () => saved(),
    async ({ name, inner }) => {
      draft.set('inner', 'size', 9)
      return { name: name.trim(), inner }
    },
  )
  expect(draft.fields).toEqual({ name: 'b', inner: { size: 9 } })
  save({ name: 'b', inner: { size: 1 } })
  expect(draft.fields).toEqual({ name: 'b', inner: { size: 9 } })
  expect(draft.isDirty()).toBe(true)
})

test('what could not be saved is still there', async () => {
  const { draft, saved } = createRoot(() => make())
  draft.set({ name: 'b' })
  const refused = draft.save(
    async () => saved(),
    () => Promise.reject(new Error('refused')),
  )
  expect(refused).rejects.toThrow('refused')
  await refused.catch(() => undefined)
  expect(draft.fields.name).toBe('b')
})
