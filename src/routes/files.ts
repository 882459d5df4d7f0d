import { Hono } from 'hono'
import { z } from 'zod'
import { answersFile } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requireUser } from '../http/guards.ts'
import { validate } from '../http/validate.ts'
import { openFile } from '../services/files.ts'
import { flagField, playableQuery } from './shapes.ts'

const fileQuery = () =>
  z.object({
    ...playableQuery().shape,
    download: flagField.optional(),
    pieces: flagField.optional().describe('For players, which ask on by themselves: a range of a file on a network disk may end early'),
  })

/** HEAD is answered by the same handler: Hono routes it to GET, and the response leaves the body out. */
export const fileRoutes = new Hono<AppEnv>().get(
  '/',
  requireUser(),
  validate('query', fileQuery),
  answersFile('*/*', 'One file of an item, with ranges'),
  async (c) => {
    const { deps, viewer, sendFile } = c.var
    const { itemKey, file, download = false, pieces } = c.req.valid('query')
    const { opened, name } = await openFile(deps, viewer, { itemKey, file, isDownload: download })
    return sendFile(c.req.raw, opened, { userId: viewer.userId, name, isDownload: download, inPieces: pieces })
  },
)
