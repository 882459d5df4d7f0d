import { expect, test } from 'bun:test'
import { backupName, expendableBackups, isBackupName } from '../../src/domain/backup-rotation.ts'

const DAY_MS = 86_400_000
/** A Tuesday. */
const TODAY = Date.UTC(2026, 10, 24, 3)

/** What is left after a backup on each of so many days, the last of them today. */
const afterDays = (count: number, days = 7): string[] => {
  let kept: string[] = []
  for (let day = count - 1; day >= 0; day--) {
    const made = backupName(TODAY - day * DAY_MS)
    kept.push(made)
    const expendable = new Set(expendableBackups(kept, days, made))
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
  expect(expendableBackups(yearly, 7, 'vitrine-2025-05-01.db')).toEqual([])
  expect(expendableBackups([...yearly, 'vitrine-2099-01-01.db'], 1, 'vitrine-2099-01-01.db')).toEqual([
    'vitrine-2021-05-01.db',
    'vitrine-2020-05-01.db',
  ])
})

test('only names of ours are counted, and may go', () => {
  const strangers = ['vitrine-2020-01-01.db.partial', 'vitrine.db', 'backup-2020-01-01.db', 'vitrine-2020-01-01.db.bak', '.DS_Store']
  expect(strangers.filter(isBackupName)).toEqual([])
  expect(expendableBackups([...strangers, 'vitrine-2026-01-01.db'], 1, 'vitrine-2026-01-01.db')).toEqual([])
})

test('after weeks with a clock that was wrong the backup that is made stays, and the others go one by one', () => {
  for (const wrongDays of [400, -400]) {
    let kept: string[] = []
    for (let day = 0; day < 100; day++) {
      const isWrong = day >= 30 && day < 66
      const made = backupName(TODAY + (day + (isWrong ? wrongDays : 0)) * DAY_MS)
      kept = [...kept, made]
      const expendable = expendableBackups(kept, 7, made)
      expect([expendable.includes(made), expendable.length < 2]).toEqual([false, true])
      kept = kept.filter((name) => !expendable.includes(name))
    }
    expect(kept.toSorted().slice(-7)).toEqual([93, 94, 95, 96, 97, 98, 99].map((day) => backupName(TODAY + day * DAY_MS)))
  }
})
