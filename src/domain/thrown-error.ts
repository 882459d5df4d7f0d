/** What can be told of whatever was thrown. */

/** `code`, by which the system and libraries tell their errors apart (`ENOENT`); `''` where there is none. */
export const errorCode = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Whether the work comes to its end, whatever it would throw. */
export const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )
