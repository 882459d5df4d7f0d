/** The JSON of `media_items.artwork`. */

import { z } from 'zod'
import { ARTWORK_KINDS } from '../domain/scanned-item.ts'

export const artworkSchema = z.array(z.object({ kind: z.enum(ARTWORK_KINDS), path: z.string(), version: z.string() }))
