/** Names of files that are being written, and get their own by a rename. Scans leave out dot files. */

export const temporaryName = (): string => `.vitrine-${crypto.randomUUID().replaceAll('-', '')}.tmp`

/** Whether a file is being written, or was when the server died: its age tells which. A copy of a database is called `.partial` at first. */
export const isTemporaryName = (name: string): boolean => /^\.vitrine-[0-9a-f]{32}\.tmp(?:\.partial)?$/.test(name)
