import { expect, test } from 'bun:test'
import { createPreviewTurns } from '../../src/jobs/preview-turns.ts'

test('one who asks for very many holds up nobody, and gets the newest', async () => {
  const take = createPreviewTurns()
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = (userId: number, name: string): Promise<string> =>
    take(userId, async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.push(resolve))
      return name
    }).catch(() => 'given up')
  const many = Array.from({ length: 60 }, (_, index) => ask(1, `mine ${index}`))
  const other = ask(2, 'theirs')
  await Bun.sleep(1)
  expect(begun).toEqual(['mine 0', 'theirs'])
  expect(await Promise.all(many.slice(1, 57))).toEqual(Array.from({ length: 56 }, () => 'given up'))
  for (let times = 0; times < 6; times += 1) {
    for (const end of ends.splice(0)) end()
    await Bun.sleep(1)
  }
  expect(await other).toBe('theirs')
  expect(await Promise.all([many[0], ...many.slice(57)])).toEqual(['mine 0', 'mine 57', 'mine 58', 'mine 59'])
})
