import { z } from 'zod'

/** A column, or a part of one, that holds JSON of this shape as text. */
export const storedJson = <T>(schema: z.ZodType<T>) => z.string().transform((text) => schema.parse(JSON.parse(text)))
