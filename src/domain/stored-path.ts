/** What the `stored_` columns of an item say of its own path: no file has this one. */
const OWN_PATH = ''

/** How the path of a file of an item is stored; `itemPath` and `path` relative to the library root. The columns without `stored_` give it back. */
export const storedPath = (itemPath: string, path: string | null): string | null => (path === itemPath ? OWN_PATH : path)
