/** 100,000 rows of a table of tags through the API, against one transaction of prepared statements on the same tables. */

import { join } from 'node:path'
import Database from 'libsql'
import { nameKey } from '../../src/domain/name-key.ts'
import type { HttpClient, Json } from '../support/http-client.ts'
import { testDatabase } from '../support/test-database.ts'
import { startServer } from '../support/test-server.ts'
import type { Bench } from './bench.ts'
import { interleave, median, quantile, secondsOf } from './rounds.ts'
import { type Row, ratioAtMost } from './table.ts'

const ROWS = 100_000
const CATEGORIES = 50
/** Of the rows so many have another name as well. */
const ALIAS_EVERY = 10
const PAUSE_MS = 5

interface TableRow {
  category: string
  tag: string
  alias: string
}

const rowsOf = (round: number): TableRow[] =>
  Array.from({ length: ROWS }, (_, index) => ({
    category: `Category ${round}.${index % CATEGORIES}`,
    tag: `Tag of round ${round}, number ${index}`,
    alias: index % ALIAS_EVERY === 0 ? `Another name ${round}.${index}` : '',
  }))

const tableOf = (rows: readonly TableRow[]): string =>
  `category,tag,aliases\n${rows.map(({ category, tag, alias }) => `${category},"${tag}",${alias}`).join('\n')}\n`

const importRows = async (admin: HttpClient, text: string): Promise<Json> => {
  const response = await admin.fetch('/api/tags/import', { method: 'POST', body: text, headers: { 'content-type': 'text/csv' } })
  return response.json()
}

/** What the database alone takes: no file to read, nothing to look for, nothing to report. */
const insertPrepared = (file: string, rows: readonly TableRow[]): void => {
  const database = new Database(file)
  database.exec('PRAGMA synchronous = FULL')
  const category = database.prepare('INSERT INTO tag_categories (name, name_key) VALUES (?, ?)')
  const tag = database.prepare('INSERT INTO tags (category_id, name, name_key) VALUES (?, ?, ?)')
  const mapping = database.prepare('INSERT INTO tag_mappings (source_key, source, tag_id) VALUES (?, ?, ?)')
  database.transaction(() => {
    const ids = new Map<string, number | bigint>()
    for (const row of rows) {
      const id = ids.get(row.category) ?? category.run(row.category, nameKey(row.category)).lastInsertRowid
      ids.set(row.category, id)
      const { lastInsertRowid } = tag.run(id, row.tag, nameKey(row.tag))
      if (row.alias !== '') mapping.run(nameKey(row.alias), row.alias, lastInsertRowid)
    }
  })()
  database.close()
}

/** Waits of somebody who looks at the libraries meanwhile, in milliseconds. */
const watch = async (admin: HttpClient, isOver: () => boolean): Promise<number[]> => {
  const waits: number[] = []
  while (!isOver()) {
    waits.push((await secondsOf(() => admin.get('/api/libraries'))) * 1000)
    await Bun.sleep(PAUSE_MS)
  }
  return waits
}

export const importBench: Bench = async ({ rounds }) => {
  await using server = await startServer({ env: { SCAN_ON_START: '0' } })
  await using database = await testDatabase()
  const admin = await server.as('admin')
  let round = 0
  let first: Json
  const waits: number[] = []

  const forget = async (): Promise<void> => {
    for (const { id } of (await admin.get('/api/tags/categories')).body.categories) await admin.delete(`/api/tags/categories/${id}`)
  }
  const ours = async (): Promise<number> => {
    const text = tableOf(rowsOf(++round))
    let isOver = false
    const watching = watch(admin, () => isOver)
    const seconds = await secondsOf(async () => {
      first = await importRows(admin, text)
    })
    isOver = true
    waits.push(...(await watching))
    if (first.createdTags !== ROWS) throw new Error(`The import answered ${JSON.stringify(first)}`)
    await forget()
    return seconds
  }
  const again = async (): Promise<number> => {
    const text = tableOf(rowsOf(++round))
    await importRows(admin, text)
    const seconds = await secondsOf(async () => {
      first = await importRows(admin, text)
    })
    if (first.createdTags !== 0 || first.unchanged !== ROWS) throw new Error(`The second import answered ${JSON.stringify(first)}`)
    await forget()
    return seconds
  }
  const prepared = async (): Promise<number> => {
    const rows = rowsOf(++round)
    const seconds = await secondsOf(async () => insertPrepared(join(database.folder, 'vitrine.db'), rows))
    await database.write.batch(['DELETE FROM tag_categories'])
    return seconds
  }

  const measured = await interleave(rounds, { ours: { measure: ours }, again: { measure: again }, prepared: { measure: prepared } })
  const rows: Row[] = [
    {
      what: '100,000 tags from a table',
      unit: 's',
      vitrine: median(measured.ours),
      peer: { name: 'one transaction of prepared statements', value: median(measured.prepared) },
      reach: ratioAtMost(5),
    },
    { what: 'the same table again, which changes nothing', unit: 's', vitrine: median(measured.again) },
    { what: 'wait of another request meanwhile, p99', unit: 'ms', vitrine: quantile(waits, 0.99) },
    { what: 'wait of another request meanwhile, longest', unit: 'ms', vitrine: Math.max(...waits) },
  ]
  return rows
}
