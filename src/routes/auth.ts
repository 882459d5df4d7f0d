import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { clearSessionCookie, setSessionCookie } from '../auth/session-cookie.ts'
import { requireLocalNetwork } from '../auth/setup-gate.ts'
import { checkCredentials, checkOwnPassword, startProvenSession } from '../auth/sign-in.ts'
import type { Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'
import { answers, answersBytes } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { anyone, requireUser } from '../http/guards.ts'
import { validate } from '../http/validate.ts'
import { deleteOtherSessions, deleteSession, listSessions } from '../services/sessions.ts'
import { createToken, deleteToken, listTokens } from '../services/tokens.ts'
import { getUserSettings, userSettingsSchema } from '../services/user-settings.ts'
import { createAdminIfFirst, getUser, hasUsers, updateUser } from '../services/users.ts'
import { newPasswordInput, usernameInput, userSchema } from './users.ts'

const setupInput = () => z.strictObject({ username: usernameInput, password: newPasswordInput })
/** Not the rules of new names and passwords: what breaks them is wrong, and not told apart from what is merely wrong. */
const loginInput = () => z.strictObject({ username: z.string().max(1024), password: z.string().max(1024) })
const passwordInput = () => z.strictObject({ currentPassword: z.string().max(1024), newPassword: newPasswordInput })
const tokenInput = () =>
  z.strictObject({
    name: z.string().trim().min(1).max(100),
    expiresAt: z.iso
      .datetime({ offset: true })
      .transform((text) => new Date(text))
      .refine((date) => date.getTime() > Date.now(), 'A time in the future')
      .nullable()
      .optional(),
  })
const storedId = () => z.strictObject({ id: z.string().max(128) })

const time = z.iso.datetime()
const userAnswer = () => z.object({ user: userSchema() })
const sessionList = () =>
  z.object({
    sessions: z.array(
      z.object({ id: z.string(), current: z.boolean(), userAgent: z.string().nullable(), lastSeenAt: time, createdAt: time }),
    ),
  })
const tokenList = () =>
  z.object({
    tokens: z.array(
      z.object({ id: z.string(), name: z.string(), createdAt: time, expiresAt: time.nullable(), lastUsedAt: time.nullable() }),
    ),
  })

const noStore = (): MiddlewareHandler => async (c, next) => {
  await next()
  c.header('Cache-Control', 'no-store')
}

/** Signing in again leaves nothing of the session before it (ASVS 7.2.4). */
const endFormerSession = async (c: Context<AppEnv>, userId: number): Promise<void> => {
  const viewer: Viewer | undefined = c.var.viewer
  if (viewer?.userId === userId && c.var.sessionId !== null) await c.var.deps.auth.sessions.end(c.var.sessionId)
}

/** Before anything is said about the body: what was wrong with it does not matter any more. */
const requireNobody = (): MiddlewareHandler<AppEnv> => async (c, next) => {
  if (await hasUsers(c.var.deps.db)) throw new AppError('already_set_up')
  await next()
}

/** A token with an end could otherwise make itself one without. */
const requireCookie = (): MiddlewareHandler<AppEnv> => async (c, next) => {
  if (c.var.sessionId === null) throw new AppError('forbidden', 'A token cannot make tokens: sign in')
  await next()
}

export const authRoutes = new Hono<AppEnv>()
  .use(noStore())
  .get(
    '/status',
    anyone(),
    answers(200, () => z.object({ setupRequired: z.boolean(), user: userSchema().nullable() }), 'Who is asking'),
    async (c) => {
      const { deps, viewer }: { deps: AppEnv['Variables']['deps']; viewer?: Viewer } = c.var
      return c.json({ setupRequired: !(await hasUsers(deps.db)), user: viewer ? await getUser(deps, viewer.userId) : null }, 200)
    },
  )
  .post(
    '/setup',
    anyone(),
    answers(201, userAnswer, 'The first administrator'),
    requireLocalNetwork(),
    requireNobody(),
    validate('json', setupInput),
    async (c) => {
      const user = await createAdminIfFirst(c.var.deps, c.req.valid('json'))
      if (!user) throw new AppError('already_set_up')
      setSessionCookie(c, await c.var.deps.auth.sessions.start(user.id, c.req.header('user-agent')))
      return c.json({ user }, 201)
    },
  )
  .post('/login', anyone(), answers(200, userAnswer, 'Signed in'), validate('json', loginInput), async (c) => {
    const proven = await checkCredentials(c.var.deps, { ...c.req.valid('json'), address: c.var.requestAddress() })
    await endFormerSession(c, proven.id)
    setSessionCookie(c, await startProvenSession(c.var.deps, proven, c.req.header('user-agent')))
    return c.json({ user: await getUser(c.var.deps, proven.id) }, 200)
  })
  .post('/logout', requireUser(), answersBytes(204, null, 'Signed out'), async (c) => {
    if (c.var.sessionId !== null) await c.var.deps.auth.sessions.end(c.var.sessionId)
    clearSessionCookie(c)
    return c.body(null, 204)
  })
  .get(
    '/me',
    requireUser(),
    answers(200, () => z.object({ user: userSchema(), settings: userSettingsSchema }), 'Me'),
    async (c) => {
      const { deps, viewer } = c.var
      return c.json({ user: await getUser(deps, viewer.userId), settings: await getUserSettings(deps, viewer) }, 200)
    },
  )
  .put('/password', requireUser(), answersBytes(204, null, 'The password is changed'), validate('json', passwordInput), async (c) => {
    const { deps, viewer, requestAddress, sessionId: keepSessionId } = c.var
    const { currentPassword, newPassword } = c.req.valid('json')
    const provenHash = await checkOwnPassword(deps, { userId: viewer.userId, password: currentPassword, address: requestAddress() })
    await updateUser(deps, viewer.userId, { patch: { password: newPassword }, keepSessionId, provenHash })
    return c.body(null, 204)
  })
  .get('/sessions', requireUser(), answers(200, sessionList, 'My sessions'), async (c) =>
    c.json({ sessions: await listSessions(c.var.deps, c.var.viewer, c.var.sessionId) }, 200),
  )
  .delete('/sessions', requireUser(), answersBytes(204, null, 'Every other session of mine is over'), async (c) => {
    await deleteOtherSessions(c.var.deps, c.var.viewer, c.var.sessionId)
    return c.body(null, 204)
  })
  .delete('/sessions/:id', requireUser(), answersBytes(204, null, 'The session is over'), validate('param', storedId), async (c) => {
    const { id } = c.req.valid('param')
    await deleteSession(c.var.deps, c.var.viewer, id)
    if (id === c.var.sessionId) clearSessionCookie(c)
    return c.body(null, 204)
  })
  .get('/tokens', requireUser(), answers(200, tokenList, 'My personal access tokens'), async (c) =>
    c.json({ tokens: await listTokens(c.var.deps, c.var.viewer) }, 200),
  )
  .post(
    '/tokens',
    requireUser(),
    answers(201, () => z.object({ id: z.string(), token: z.string() }), 'A new token, shown this once'),
    requireCookie(),
    validate('json', tokenInput),
    async (c) => c.json(await createToken(c.var.deps, c.var.viewer, c.req.valid('json')), 201),
  )
  .delete('/tokens/:id', requireUser(), answersBytes(204, null, 'The token is gone'), validate('param', storedId), async (c) => {
    await deleteToken(c.var.deps, c.var.viewer, c.req.valid('param').id)
    return c.body(null, 204)
  })
