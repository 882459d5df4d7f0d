import '../../support/solid-preload.ts'
import { expect, test } from 'bun:test'

const { createRoot, createSignal } = await import('solid-js')
const { onChange } = await import('../../../client/src/primitives/on-change.ts')

test('it is told of another value with the one before, and not of the same one in another object', () => {
  const told: string[] = []
  const { setAnswer, dispose } = createRoot((end) => {
    const [answer, set] = createSignal({ address: '/a' })
    onChange(
      () => answer().address,
      (now, before) => told.push(`${before} to ${now}`),
    )
    return { setAnswer: set, dispose: end }
  })
  setAnswer({ address: '/a' })
  setAnswer({ address: '/b' })
  setAnswer({ address: '/b' })
  setAnswer({ address: '/c' })
  expect(told).toEqual(['/a to /b', '/b to /c'])
  dispose()
})
