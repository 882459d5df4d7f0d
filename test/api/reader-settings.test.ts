import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { HttpClient } from '../support/http-client.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'

setDefaultTimeout(60_000)

let scene: ScanScene
let admin: HttpClient
beforeAll(async () => {
  scene = await startScene({
    manga: {
      Berserk: { 'v01.cbz': 'x', 'v02.cbz': 'y' },
      Vagabond: { 'v01.cbz': 'z' },
      Gone: { 'v01.cbz': 'g' },
    },
    mixed: { 'a.txt': 'a' },
  })
  admin = scene.admin
})
afterAll(() => scene[Symbol.asyncDispose]())

const series = (name: string): string => `manga_series:${scene.idOf('manga')}:${name}`
const volume = (path: string): string => `manga_volume:${scene.idOf('manga')}:${path}`
const get = (client: HttpClient, itemKey: string) => client.get('/api/manga/reader-settings', { itemKey })
const put = (client: HttpClient, itemKey: string, settings: unknown) => client.put('/api/manga/reader-settings', { itemKey, settings })
const chosen = async (client: HttpClient, itemKey: string) => (await get(client, itemKey)).body.settings
const rows = async (): Promise<number | undefined> =>
  (await scene.index.query<{ n: number }>('SELECT count(*) AS n FROM reader_settings'))[0]?.n

describe('it is refused', () => {
  test('for what nobody reads, for what is not there, and for what somebody may not see', async () => {
    const file = `mixed_file:${scene.idOf('mixed')}:a.txt`
    expect((await get(admin, file)).status).toBe(400)
    expect((await put(admin, file, { mode: 'rtl' })).status).toBe(400)
    expect((await put(admin, volume('Berserk/v99.cbz'), { mode: 'rtl' })).status).toBe(404)
    const stranger = await scene.server.as('stranger', { libraryIds: [scene.idOf('mixed')] })
    expect((await get(stranger, series('Berserk'))).status).toBe(404)
    expect((await put(stranger, series('Berserk'), { mode: 'rtl' })).status).toBe(404)
  })

  test('with a value or a name that is none', async () => {
    const bad = [
      ...[{ mode: 'diagonal' }, { fit: 'tight' }, { background: '#fff' }, { tapZones: 'everywhere' }, { doublePage: 'yes' }],
      ...[{ sidePadding: 41 }, { sidePadding: -1 }, { sidePadding: 2.5 }, { theme: 'dark' }, null, [], 'rtl'],
    ]
    for (const settings of bad) expect([settings, (await put(admin, series('Berserk'), settings)).status]).toEqual([settings, 400])
    expect((await admin.put('/api/manga/reader-settings', { itemKey: series('Berserk') })).status).toBe(400)
    expect(await chosen(admin, series('Berserk'))).toEqual({})
  })
})

test('what is chosen in one volume holds for the whole series, and for no other', async () => {
  const saved = await put(admin, volume('Berserk/v01.cbz'), { mode: 'webtoon', fit: 'width', sidePadding: 20 })
  expect([saved.status, saved.body]).toEqual([200, { settings: { mode: 'webtoon', fit: 'width', sidePadding: 20 } }])
  for (const itemKey of [series('Berserk'), volume('Berserk/v02.cbz')]) expect(await chosen(admin, itemKey)).toEqual(saved.body.settings)
  expect(await chosen(admin, series('Vagabond'))).toEqual({})
})

test('everybody reads in their own way', async () => {
  const reader = await scene.server.as('reader')
  expect(await chosen(reader, series('Berserk'))).toEqual({})
  await put(reader, series('Berserk'), { mode: 'ltr' })
  expect(await chosen(reader, volume('Berserk/v01.cbz'))).toEqual({ mode: 'ltr' })
  expect(await chosen(admin, series('Berserk'))).toMatchObject({ mode: 'webtoon' })
})

test('choosing again replaces it all, and choosing nothing forgets it', async () => {
  await put(admin, series('Vagabond'), { mode: 'rtl', background: 'white' })
  await put(admin, series('Vagabond'), { fit: 'height' })
  expect(await chosen(admin, series('Vagabond'))).toEqual({ fit: 'height' })
  const before = (await rows()) ?? 0
  await put(admin, series('Vagabond'), {})
  expect([await chosen(admin, series('Vagabond')), await rows()]).toEqual([{}, before - 1])
})

test('a stored value that this version does not know is as if nobody had chosen it', async () => {
  await put(admin, series('Vagabond'), { mode: 'rtl' })
  await scene.index.query(
    `UPDATE reader_settings SET settings = '{"mode":"spiral","fit":"width","flying":1}' WHERE settings = '{"mode":"rtl"}'`,
  )
  expect(await chosen(admin, series('Vagabond'))).toEqual({ fit: 'width' })
})

test('it goes with the person, and with a series that is forgotten', async () => {
  const guest = await scene.server.as('guest')
  await put(guest, series('Gone'), { mode: 'ltr' })
  await put(admin, series('Gone'), { mode: 'ltr' })
  const before = (await rows()) ?? 0
  const { body } = await guest.get('/api/auth/me')
  expect((await admin.delete(`/api/users/${body.user.id}`)).status).toBe(204)
  expect(await rows()).toBe(before - 1)
  rmSync(join(scene.rootOf('manga'), 'Gone'), { recursive: true })
  await scene.scan('manga')
  expect(await rows()).toBe(before - 1)
  expect((await admin.post(`/api/libraries/${scene.idOf('manga')}/purge-missing`)).status).toBe(200)
  expect(await rows()).toBe(before - 2)
})
