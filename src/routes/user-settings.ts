import { Hono } from 'hono'
import { answers } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requireUser } from '../http/guards.ts'
import { jsonWithEtag } from '../http/json-text.ts'
import { validate } from '../http/validate.ts'
import { getUserSettings, updateUserSettings, userSettingsPatch, userSettingsSchema } from '../services/user-settings.ts'

export const userSettingsRoutes = new Hono<AppEnv>()
  .get(
    '/',
    requireUser(),
    answers(200, () => userSettingsSchema, 'My settings'),
    async (c) => jsonWithEtag(c, await getUserSettings(c.var.deps, c.var.viewer)),
  )
  .patch(
    '/',
    requireUser(),
    answers(200, () => userSettingsSchema, 'My settings as changed'),
    validate('json', () => userSettingsPatch),
    async (c) => c.json(await updateUserSettings(c.var.deps, c.var.viewer, c.req.valid('json')), 200),
  )
