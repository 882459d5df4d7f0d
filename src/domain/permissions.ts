/** Who may do what (API.md, 3). Administrators have every permission. */

export const PERMISSIONS = ['download', 'upload', 'tag', 'manageTags', 'editMetadata', 'useAi', 'delete'] as const
export type Permission = (typeof PERMISSIONS)[number]
export type Permissions = Record<Permission, boolean>

export const ROLES = ['admin', 'user'] as const
export type Role = (typeof ROLES)[number]

export const byPermission = <T>(make: (permission: Permission) => T): Record<Permission, T> => ({
  download: make('download'),
  upload: make('upload'),
  tag: make('tag'),
  manageTags: make('manageTags'),
  editMetadata: make('editMetadata'),
  useAi: make('useAi'),
  delete: make('delete'),
})

export const ALL_PERMISSIONS: Permissions = byPermission(() => true)

/** What a new user gets: everything but deleting the household's files. */
export const DEFAULT_PERMISSIONS: Permissions = { ...ALL_PERMISSIONS, delete: false }

const parseObject = (json: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** The signed-in person on whose behalf a service acts. */
export interface Viewer {
  userId: number
  username: string
  role: Role
  permissions: Permissions
  /** Libraries that this person may see; null means all of them, also later ones. */
  libraryIds: readonly number[] | null
}

export const can = (viewer: Viewer, permission: Permission): boolean => viewer.role === 'admin' || viewer.permissions[permission]

/** The library need not exist. */
export const canSeeLibrary = (viewer: Viewer, libraryId: number): boolean =>
  viewer.role === 'admin' || viewer.libraryIds === null || viewer.libraryIds.includes(libraryId)

/**
 * The permissions of a stored JSON object. One that the object does not name is as for a new user (it came with a later
 * version); a column that holds no object gives none at all.
 */
export const permissionsFromStored = (json: string): Permissions => {
  const stored = parseObject(json)
  return byPermission((name) => {
    const value = stored?.[name]
    return stored !== undefined && (typeof value === 'boolean' ? value : DEFAULT_PERMISSIONS[name])
  })
}
