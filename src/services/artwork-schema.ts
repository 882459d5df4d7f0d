/** The JSON of `media_items.artwork`. */

import { z } from 'zod'

export const artworkSchema = z.array(
  z.object({ kind: z.enum(['cover', 'widecover', 'poster', 'backdrop', 'screenshot']), path: z.string(), version: z.string() }),
)
