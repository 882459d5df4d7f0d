import { expect, test } from 'bun:test'
import { POINTS, startCrashRig } from '../ai-queue/crash-rig.ts'

const ROUNDS = 100
const LIMIT_MS = 3_600_000

test(
  'in a hundred rounds of SIGKILL no job is lost, stuck or done twice',
  async () => {
    await using rig = await startCrashRig()
    let rounds = 0
    for (let number = 0; number < ROUNDS; number++) {
      const point = POINTS[number % POINTS.length]
      if (point === undefined) continue
      await rig.round(point, number)
      rounds += 1
    }
    expect(rounds).toBe(ROUNDS)
  },
  LIMIT_MS,
)
