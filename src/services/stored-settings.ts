import { z } from 'zod'

/** Reads settings out of JSON in which only the changed ones stand. A value that this version does not know (any more) is as if it had never been set. */
export const storedSettings = <Fields extends z.ZodRawShape>(fields: Fields) => {
  const settings = z.strictObject(fields).partial()
  return (json: string): z.infer<typeof settings> => {
    const stored = z.record(z.string(), z.unknown()).catch({}).parse(JSON.parse(json))
    const known = Object.entries(stored).filter(([name, value]) => settings.safeParse({ [name]: value }).success)
    return settings.parse(Object.fromEntries(known))
  }
}
