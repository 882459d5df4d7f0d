import { Hono } from 'hono'
import { z } from 'zod'
import { READING_DIRECTIONS } from '../domain/reader-settings.ts'
import { answers, answersBytes } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requirePermission, requireUser } from '../http/guards.ts'
import { jsonText, jsonWithEtag } from '../http/json-text.ts'
import { validate } from '../http/validate.ts'
import type { Item } from '../services/items.ts'
import { listMangaPages, type MangaPages, readMangaPage, refreshFromComicInfo } from '../services/manga-pages.ts'
import { getReaderSettings, putReaderSettings, readerSettingsSchema } from '../services/reader-settings.ts'
import { itemKeyQuery, itemShape, wholeNumberField } from './shapes.ts'

const MAX_INDEX = 1_000_000
const MAX_WIDTH = 16_383

const pagesShape = () =>
  z.object({
    pages: z.array(z.object({ index: z.int().describe('From 0'), width: z.int().nullable(), height: z.int().nullable(), url: z.string() })),
    readingDirection: z.enum(READING_DIRECTIONS),
  })
const pageQuery = () =>
  z.object({
    ...itemKeyQuery().shape,
    index: wholeNumberField(0, MAX_INDEX),
    width: wholeNumberField(1, MAX_WIDTH).optional(),
    v: z.string().max(64).optional(),
  })
const readerShape = () => z.object({ settings: readerSettingsSchema })

export const mangaRoutes = new Hono<AppEnv>()
  .get('/pages', requireUser(), validate('query', itemKeyQuery), answers(200, pagesShape, 'The pages of a volume'), async (c) => {
    const query = { ...c.req.valid('query'), signal: c.req.raw.signal }
    return jsonText<MangaPages>(c, (await listMangaPages(c.var.deps, c.var.viewer, query)).json)
  })
  .get(
    '/page',
    requireUser(),
    validate('query', pageQuery),
    answersBytes(
      200,
      'image/*',
      'One page, straight out of the archive. With a width, a wider page comes scaled down to the next of a few widths from there on',
    ),
    async (c) => {
      const query = c.req.valid('query')
      const { deps, viewer, sendPage } = c.var
      return sendPage(c.req.raw, viewer.userId, async () => {
        const page = await readMangaPage(deps, viewer, { ...query, signal: c.req.raw.signal })
        return { ...page, isImmutable: query.v === page.volumeVersion }
      })
    },
  )
  .get(
    '/reader-settings',
    requireUser(),
    validate('query', itemKeyQuery),
    answers(200, readerShape, 'What I have chosen for reading this series'),
    async (c) => jsonWithEtag(c, { settings: await getReaderSettings(c.var.deps, c.var.viewer, c.req.valid('query').itemKey) }),
  )
  .put(
    '/reader-settings',
    requireUser(),
    validate('json', () => z.strictObject({ ...itemKeyQuery().shape, ...readerShape().shape })),
    answers(200, readerShape, 'What I have chosen now'),
    async (c) => c.json({ settings: await putReaderSettings(c.var.deps, c.var.viewer, c.req.valid('json')) }, 200),
  )
  .post(
    '/refresh',
    requirePermission('editMetadata'),
    validate('json', () => z.strictObject(itemKeyQuery().shape)),
    answers(200, () => z.object({ item: itemShape() }), 'The volume, with what its ComicInfo.xml says'),
    async (c) => {
      const query = { ...c.req.valid('json'), signal: c.req.raw.signal }
      return jsonText<{ item: Item }>(c, (await refreshFromComicInfo(c.var.deps, c.var.viewer, query)).json)
    },
  )
