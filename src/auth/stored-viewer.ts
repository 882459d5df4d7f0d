import { eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { userLibraries, users } from '../db/schema/users.ts'
import { ALL_PERMISSIONS, permissionsFromStored, type Viewer } from '../domain/permissions.ts'

/** The columns that a viewer is made of. */
export const viewerColumns = {
  userId: users.id,
  username: users.username,
  role: users.role,
  permissions: users.permissions,
  allLibraries: users.allLibraries,
  disabled: users.disabled,
}

type ViewerRow = { [Column in keyof typeof viewerColumns]: (typeof viewerColumns)[Column]['_']['data'] }

/** The viewer of a row; disabled people are none. */
export const toViewer = async (db: Database, row: ViewerRow): Promise<Viewer | undefined> => {
  const { userId, username, role } = row
  if (row.disabled) return undefined
  if (role === 'admin') return { userId, username, role, permissions: ALL_PERMISSIONS, libraryIds: null }
  const grants = row.allLibraries
    ? null
    : await db.select({ id: userLibraries.libraryId }).from(userLibraries).where(eq(userLibraries.userId, userId))
  return {
    userId,
    username,
    role,
    permissions: permissionsFromStored(row.permissions),
    libraryIds: grants?.map((grant) => grant.id) ?? null,
  }
}
