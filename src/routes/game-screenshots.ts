import { Hono } from 'hono'
import { z } from 'zod'
import { answers, answersBytes } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requirePermission, requireUser } from '../http/guards.ts'
import { jsonWithEtag } from '../http/json-text.ts'
import { validate } from '../http/validate.ts'
import { addScreenshots, deleteScreenshot, listScreenshots } from '../services/game-screenshots.ts'
import { itemKeyQuery, screenshotsShape } from './shapes.ts'

const MAX_FILES = 20

const uploadInput = () =>
  z.strictObject({
    ...itemKeyQuery().shape,
    // One alone comes by itself.
    files: z.preprocess(
      (files) => (Array.isArray(files) || files === undefined ? files : [files]),
      z.array(z.file('must be a file'), 'must be one file or more').min(1).max(MAX_FILES, `must be ${MAX_FILES} files or fewer`),
    ),
  })

const oneScreenshot = () => z.object({ ...itemKeyQuery().shape, name: z.string().min(1).max(255) })

export const gameScreenshotRoutes = new Hono<AppEnv>()
  .get(
    '/',
    requireUser(),
    validate('query', itemKeyQuery),
    answers(200, screenshotsShape, 'The screenshots of a game, newest last'),
    async (c) => jsonWithEtag(c, { screenshots: await listScreenshots(c.var.deps, c.var.viewer, c.req.valid('query').itemKey) }),
  )
  .post(
    '/',
    requirePermission('upload'),
    validate('form', uploadInput),
    answers(201, screenshotsShape, 'All screenshots of the game, the new ones among them'),
    async (c) => c.json({ screenshots: await addScreenshots(c.var.deps, c.var.viewer, c.req.valid('form')) }, 201),
  )
  .delete('/', requirePermission('upload'), validate('query', oneScreenshot), answersBytes(204, null, 'Removed'), async (c) => {
    await deleteScreenshot(c.var.deps, c.var.viewer, c.req.valid('query'))
    return c.body(null, 204)
  })
