/** Paths as the index keeps them: below a library's root, with "/" between the names. */

export const baseNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The path of the folder that it lies in; empty for what lies in the root. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** The path of what lies in a folder; the root is the empty path. */
export const pathIn = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

/** Whether a path is a folder or lies in it; the root is the empty path. */
export const isAtOrBelow = (path: string, folder: string): boolean => folder === '' || path === folder || path.startsWith(`${folder}/`)

const withFoldersAbove = function* (path: string): Generator<string> {
  for (let place = path; ; place = folderOf(place)) {
    yield place
    if (place === '') return
  }
}

/** Whether a path is one of these places, lies in one, or holds one. As quick for many places as for one. */
export const inLineWith = (places: readonly string[]): ((path: string) => boolean) => {
  const all = new Set(places)
  const above = new Set<string>()
  for (const place of places) for (const folder of withFoldersAbove(place)) above.add(folder)
  return (path) => above.has(path) || (all.size > 0 && withFoldersAbove(path).some((folder) => all.has(folder)))
}

/** The folders that hold all of these, each once and none below another, in the order of their names. */
export const outermostFolders = (folders: Iterable<string>): string[] => {
  const sorted = [...new Set(folders)].sort()
  return sorted.filter((folder) => !sorted.some((other) => other !== folder && isAtOrBelow(folder, other)))
}

/** A path as the index keeps it: no way up, no way out, nothing between two slashes. */
export const isRelativePath = (path: string): boolean =>
  !path.includes('\0') && path.split('/').every((name) => name !== '' && name !== '.' && name !== '..')
