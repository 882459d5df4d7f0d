/** The body of an import: a JSON file or a table. Read as bytes, since the shape of 32 MiB is looked at a piece at a time. */

import type { Context, MiddlewareHandler } from 'hono'
import type { ZodType } from 'zod'
import type { TagFileFormat } from '../domain/tag-file.ts'
import { AppError } from '../errors.ts'
import { describe } from './description.ts'

const FORMATS: Readonly<Record<string, TagFileFormat>> = { 'application/json': 'json', 'text/csv': 'csv' }

/** Throws `unsupported_media_type` for anything else. */
export const tagFileOf = async (c: Context): Promise<{ format: TagFileFormat; bytes: Uint8Array }> => {
  const mediaType = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const format = FORMATS[mediaType]
  if (!format) throw new AppError('unsupported_media_type', 'Send application/json or text/csv.')
  return { format, bytes: new Uint8Array(await c.req.arrayBuffer()) }
}

/** For the description of the API; it changes nothing at run time. */
export const takesTagFile = (shape: ZodType): MiddlewareHandler =>
  describe((resolve) => ({
    requestBody: {
      content: {
        'application/json': { schema: resolve(shape) },
        'text/csv': {
          schema: { type: 'string', description: 'category,tag,aliases: one tag a line, several aliases with ; between them' },
        },
      },
    },
  }))
