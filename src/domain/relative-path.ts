/** Paths as the index keeps them: below a library's root, with "/" between the names. */

export const baseNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The path of the folder that it lies in; empty for what lies in the root. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** The path of what lies in a folder; the root is the empty path. */
export const pathIn = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

/** Whether a path is a folder or lies in it; the root is the empty path. */
export const isAtOrBelow = (path: string, folder: string): boolean => folder === '' || path === folder || path.startsWith(`${folder}/`)

/** The folders that hold all of these, each once and none below another, in the order of their names. */
export const outermostFolders = (folders: Iterable<string>): string[] => {
  const sorted = [...new Set(folders)].sort()
  return sorted.filter((folder) => !sorted.some((other) => other !== folder && isAtOrBelow(folder, other)))
}

/** A path as the index keeps it: no way up, no way out, nothing between two slashes. */
export const isRelativePath = (path: string): boolean =>
  !path.includes('\0') && path.split('/').every((name) => name !== '' && name !== '.' && name !== '..')
