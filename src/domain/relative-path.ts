/** Paths as the index keeps them: below a library's root, with "/" between the names. */

export const baseNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The path of the folder that it lies in; empty for what lies in the root. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
