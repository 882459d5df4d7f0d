import { expect, test } from 'bun:test'
import { createAlarm } from '../../src/jobs/alarm.ts'

const SOON_MS = 20
const LONG_MS = 3_600_000

test('an alarm rings at the earliest of its times, once, and can be set again', async () => {
  const rings: (() => void)[] = []
  let count = 0
  const alarm = createAlarm(() => {
    count += 1
    rings.shift()?.()
  })
  const ring = (): Promise<void> => new Promise((resolve) => rings.push(resolve))
  const first = ring()
  alarm.setTo(Date.now() + LONG_MS)
  alarm.setTo(Date.now() + SOON_MS)
  alarm.setTo(Date.now() + 2 * SOON_MS)
  await first
  await Bun.sleep(4 * SOON_MS)
  expect(count).toBe(1)
  const second = ring()
  alarm.setTo(Date.now() - LONG_MS)
  await second
  expect(count).toBe(2)
  alarm.stop()
})

test('an alarm that was stopped does not ring, whatever it is set to', async () => {
  let count = 0
  const alarm = createAlarm(() => {
    count += 1
  })
  alarm.setTo(Date.now() + SOON_MS)
  alarm.stop()
  alarm.setTo(Date.now())
  await Bun.sleep(4 * SOON_MS)
  expect(count).toBe(0)
})
