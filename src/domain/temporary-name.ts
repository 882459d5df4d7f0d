/** Names of files that are being written, and get their own by a rename. Scans leave out dot files. */

export const temporaryName = (): string => `.vitrine-${crypto.randomUUID().replaceAll('-', '')}.tmp`

/** Whether a file is being written, or was when the server died: its age tells which. */
export const isTemporaryName = (name: string): boolean => /^\.vitrine-[0-9a-f]{32}\.tmp$/.test(name)
