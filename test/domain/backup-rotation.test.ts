import { expect, test } from 'bun:test'
import { backupName, expendableBackups, isBackupName } from '../../src/domain/backup-rotation.ts'

const DAY_MS = 86_400_000
/** A Tuesday. */
const TODAY = Date.UTC(2026, 10, 24, 3)

/** What is left after a backup on each of so many days, the last of them today. */
const afterDays = (count: number, days = 7): string[] => {
  let kept: string[] = []
  for (let day = count - 1; day >= 0; day--) {
    kept.push(backupName(TODAY - day * DAY_MS))
    const expendable = new Set(expendableBackups(kept, days))
    kept = kept.filter((name) => !expendable.has(name))
  }
  return kept.map((name) => name.slice('vitrine-2026-'.length, -'.db'.length))
}

const LAST_SEVEN = ['11-18', '11-19', '11-20', '11-21', '11-22', '11-23', '11-24']

test('seven days and four weeks stay, of each week its last day', () => {
  expect(afterDays(7)).toEqual(LAST_SEVEN)
  expect(afterDays(100)).toEqual(['11-01', '11-08', '11-15', '11-17', ...LAST_SEVEN])
  expect(afterDays(100, 2)).toEqual(['11-01', '11-08', '11-15', '11-22', '11-23', '11-24'])
})

test('days on which nothing ran are no reason to let a backup go', () => {
  const yearly = [2020, 2021, 2022, 2023, 2024, 2025].map((year) => `vitrine-${year}-05-01.db`)
  expect(expendableBackups(yearly, 7)).toEqual([])
  expect(expendableBackups([...yearly, 'vitrine-2099-01-01.db'], 1)).toEqual(['vitrine-2021-05-01.db', 'vitrine-2020-05-01.db'])
})

test('only names of ours are counted, and may go', () => {
  const strangers = ['vitrine-2020-01-01.db.partial', 'vitrine.db', 'backup-2020-01-01.db', 'vitrine-2020-01-01.db.bak', '.DS_Store']
  expect(strangers.filter(isBackupName)).toEqual([])
  expect(expendableBackups([...strangers, 'vitrine-2026-01-01.db'], 1)).toEqual([])
})
