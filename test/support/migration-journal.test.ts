import { expect, test } from 'bun:test'
import { makeTree } from './library-tree.ts'
import { journalProblems } from './migration-journal.ts'
import { temporaryFolder } from './temporary-folder.ts'

const journal = (...entries: { idx: number; when: number; tag: string }[]): string => JSON.stringify({ entries })

test('a migration that is not later than the one before it is a problem', async () => {
  await using folder = await temporaryFolder('journal')
  makeTree(folder.path, {
    'meta/_journal.json': journal({ idx: 0, when: 5, tag: '0000_a' }, { idx: 1, when: 5, tag: '0001_b' }),
    '0000_a.sql': 'SELECT 1;',
    '0001_b.sql': 'SELECT 1;',
  })
  expect(journalProblems(folder.path)).toEqual(['0001_b is not later than 0000_a: it would never run.'])
})

test('an empty statement is a problem', async () => {
  await using folder = await temporaryFolder('journal')
  makeTree(folder.path, {
    'meta/_journal.json': journal({ idx: 0, when: 5, tag: '0000_a' }),
    '0000_a.sql': 'SELECT 1;\n--> statement-breakpoint\n',
  })
  expect(journalProblems(folder.path)).toEqual(['0000_a has an empty statement.'])
})

test('a journal in order has no problem', async () => {
  await using folder = await temporaryFolder('journal')
  makeTree(folder.path, {
    'meta/_journal.json': journal({ idx: 0, when: 5, tag: '0000_a' }, { idx: 1, when: 6, tag: '0001_b' }),
    '0000_a.sql': 'SELECT 1;\n--> statement-breakpoint\nSELECT 2;',
    '0001_b.sql': 'SELECT 1;',
  })
  expect(journalProblems(folder.path)).toEqual([])
})
