import { expect, test } from 'bun:test'
import { createWakeable } from '../../src/jobs/wakeable.ts'

/** Work that ends when it is told to, and counts how often it is done and how often at once. */
const recorder = () => {
  const ends: (() => void)[] = []
  const counts = { begun: 0, atOnce: 0, mostAtOnce: 0 }
  const work = async (): Promise<void> => {
    counts.begun += 1
    counts.atOnce += 1
    counts.mostAtOnce = Math.max(counts.mostAtOnce, counts.atOnce)
    await new Promise<void>((resolve) => ends.push(resolve))
    counts.atOnce -= 1
  }
  return { work, counts, end: () => ends.shift()?.() }
}

const never = (error: unknown): never => {
  throw error
}

test('nothing is done before somebody asks, and nothing after the stop', async () => {
  const { work, counts } = recorder()
  const job = createWakeable({ work, onError: never })
  await Bun.sleep(1)
  await job.stop()
  job.wake()
  await Bun.sleep(1)
  expect(counts.begun).toBe(0)
})

test('calls during a look make one more look, never two at once', async () => {
  const { work, counts, end } = recorder()
  const job = createWakeable({ work, onError: never })
  for (let call = 0; call < 5; call += 1) job.wake()
  end()
  await Bun.sleep(1)
  expect(counts).toEqual({ begun: 2, atOnce: 1, mostAtOnce: 1 })
  end()
  await Bun.sleep(1)
  expect(counts.begun).toBe(2)
})

test('a call in any microtask around the end of a look is not lost', async () => {
  for (let microtasks = 0; microtasks < 12; microtasks += 1) {
    const { work, counts, end } = recorder()
    const job = createWakeable({ work, onError: never })
    job.wake()
    end()
    for (let turn = 0; turn < microtasks; turn += 1) await Promise.resolve()
    job.wake()
    await Bun.sleep(1)
    expect([microtasks, counts.begun]).toEqual([microtasks, 2])
    end()
    await job.stop()
  }
})

test('a look that fails is told of, and the next call looks again', async () => {
  const errors: unknown[] = []
  let looks = 0
  const job = createWakeable({
    work: async () => {
      looks += 1
      throw new Error('no disk')
    },
    onError: (error) => errors.push(error),
  })
  job.wake()
  await Bun.sleep(1)
  job.wake()
  await Bun.sleep(1)
  expect(looks).toBe(2)
  expect(errors.map(String)).toEqual(['Error: no disk', 'Error: no disk'])
})

test('where it is to be, a look that failed is made again by itself, once, and not after the stop', async () => {
  let looks = 0
  const errors: unknown[] = []
  const work = async (): Promise<void> => {
    looks += 1
    if (looks !== 2) throw new Error('no database')
  }
  const job = createWakeable({ work, onError: (error) => errors.push(error), retryMs: 5 })
  job.wake()
  await Bun.sleep(50)
  expect([looks, errors.length]).toEqual([2, 1])
  job.wake()
  await Bun.sleep(1)
  await job.stop()
  await Bun.sleep(20)
  expect([looks, errors.length]).toEqual([3, 2])
})

test('the stop waits for the look that goes on, and the work can see it', async () => {
  const seen: boolean[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const job = createWakeable({
    work: async (isStopped) => {
      seen.push(isStopped())
      await promise
      seen.push(isStopped())
    },
    onError: never,
  })
  job.wake()
  const stopped = job.stop()
  resolve()
  await stopped
  expect(seen).toEqual([false, true])
})
