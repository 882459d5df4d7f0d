import { describe, expect, test } from 'bun:test'
import { createGate, createGateOfEach, type Gate } from '../../src/domain/gate.ts'

const refusal = (): Error => new Error('too many')

const gates: [name: string, make: () => Gate][] = [
  ['one gate', () => createGate(1, { maxWaiting: 2, refusal })],
  ['a gate of each', () => createGateOfEach<string>(1, { maxWaiting: 2, refusal })('one')],
]

describe.each(gates)('%s', (_, make) => {
  /** Tasks that end when they are told to. */
  const underWay = () => {
    const gate = make()
    const begun: string[] = []
    const ends = new Map<string, () => void>()
    const ask = (name: string, signal?: AbortSignal): Promise<string> =>
      gate(async () => {
        begun.push(name)
        await new Promise<void>((resolve) => ends.set(name, resolve))
        return name
      }, signal).catch((error: Error) => error.message)
    const end = async (name: string): Promise<void> => {
      ends.get(name)?.()
      await Bun.sleep(1)
    }
    return { ask, begun, end }
  }

  test('a task that is given up while it waits goes at once, and lets the next one on', async () => {
    const { ask, begun, end } = underWay()
    const gone = new AbortController()
    void ask('first')
    const [left, next] = [ask('left', gone.signal), ask('next')]
    expect(await ask('too many')).toBe('too many')
    gone.abort(new Error('gone'))
    expect(await left).toBe('gone')
    void ask('last')
    await end('first')
    await end('next')
    expect([await next, begun]).toEqual(['next', ['first', 'next', 'last']])
  })

  test('what is given up as its turn comes keeps the place, and gives it back', async () => {
    const { ask, begun, end } = underWay()
    const gone = new AbortController()
    void ask('first')
    const second = ask('second', gone.signal)
    await end('first')
    gone.abort(new Error('gone'))
    await end('second')
    expect(await second).toBe('second')
    void ask('third')
    expect(begun).toEqual(['first', 'second', 'third'])
  })

  test('nothing begins that was given up before', async () => {
    const { ask, begun } = underWay()
    expect(await ask('left', AbortSignal.abort(new Error('gone')))).toBe('gone')
    void ask('next')
    expect(begun).toEqual(['next'])
  })
})
