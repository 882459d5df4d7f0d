import { z } from 'zod'

export type ListOf = <Entry extends z.ZodType>(entry: Entry) => z.ZodType<z.output<Entry>[], z.input<Entry>[]>

/**
 * A list as `z.array` reads it, but up to the first entry that is wrong: to say of each of millions what is wrong with it
 * would take minutes, and gigabytes.
 */
export const upToWrong: ListOf = (entry) =>
  z.array(z.custom<z.input<typeof entry>>()).transform((values, context) => {
    const read: z.output<typeof entry>[] = []
    for (const [index, value] of values.entries()) {
      const parsed = entry.safeParse(value)
      if (!parsed.success) {
        for (const { message, path } of parsed.error.issues) context.addIssue({ code: 'custom', message, path: [index, ...path] })
        return z.NEVER
      }
      read.push(parsed.data)
    }
    return read
  })
