import { Hono } from 'hono'
import { z } from 'zod'
import { MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS, passwordProblem } from '../domain/password.ts'
import { byPermission, ROLES } from '../domain/permissions.ts'
import { cleanUsername, usernameProblem } from '../domain/username.ts'
import { answers, answersBytes } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requireAdmin } from '../http/guards.ts'
import { jsonWithEtag } from '../http/json-text.ts'
import { validate } from '../http/validate.ts'
import { createUser, deleteUser, listUsers, updateUser } from '../services/users.ts'
import { idParam, readOnly } from './shapes.ts'

const role = z.enum(ROLES)
const flags = byPermission(() => z.boolean())
const libraryIds = z.array(z.int().positive()).max(1000).nullable()

const withProblem = (problemOf: (text: string) => string | undefined) => (text: string, c: z.core.$RefinementCtx<string>) => {
  const message = problemOf(text)
  if (message !== undefined) c.addIssue({ code: 'custom', message })
}

export const usernameInput = z.string().max(512).transform(cleanUsername).superRefine(withProblem(usernameProblem))
export const newPasswordInput = z
  .string()
  .superRefine(withProblem(passwordProblem))
  .meta({ minLength: MIN_PASSWORD_CHARACTERS, maxLength: MAX_PASSWORD_CHARACTERS })

export const userSchema = () =>
  z.object({
    id: z.int(),
    username: z.string(),
    role,
    permissions: z.object(flags),
    libraryIds: z.array(z.int()).nullable(),
    disabled: z.boolean(),
    createdAt: z.iso.datetime(),
  })

const newUser = () =>
  z.strictObject({
    username: usernameInput,
    password: newPasswordInput,
    role: role.optional(),
    permissions: z.strictObject(flags).partial().optional(),
    libraryIds: libraryIds.optional(),
  })

const userPatch = () =>
  z.strictObject({
    username: z.string().optional().describe('Only as it is: a name cannot change'),
    role: role.optional(),
    permissions: z.strictObject(flags).partial().optional(),
    libraryIds: libraryIds.optional(),
    disabled: z.boolean().optional(),
    password: newPasswordInput.optional(),
    id: readOnly,
    createdAt: readOnly,
  })

export const userRoutes = new Hono<AppEnv>()
  .get(
    '/',
    requireAdmin(),
    answers(200, () => z.object({ users: z.array(userSchema()) }), 'Everybody who may sign in'),
    async (c) => jsonWithEtag(c, { users: await listUsers(c.var.deps) }),
  )
  .post(
    '/',
    requireAdmin(),
    answers(201, () => z.object({ user: userSchema() }), 'The new person'),
    validate('json', newUser),
    async (c) => c.json({ user: await createUser(c.var.deps, c.req.valid('json')) }, 201),
  )
  .patch(
    '/:id',
    requireAdmin(),
    answers(200, () => z.object({ user: userSchema() }), 'The person as changed; a new password ends their sessions and tokens'),
    validate('param', idParam),
    validate('json', userPatch),
    async (c) => {
      const patch = c.req.valid('json')
      const { id } = c.req.valid('param')
      return c.json({ user: await updateUser(c.var.deps, id, { patch, keepSessionId: c.var.sessionId }) }, 200)
    },
  )
  .delete('/:id', requireAdmin(), answersBytes(204, null, 'The person is gone'), validate('param', idParam), async (c) => {
    await deleteUser(c.var.deps, c.req.valid('param').id)
    return c.body(null, 204)
  })
