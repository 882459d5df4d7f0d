import { expect, test } from 'bun:test'
import { can, canSeeLibrary, DEFAULT_PERMISSIONS, PERMISSIONS, permissionsFromStored, type Viewer } from '../../src/domain/permissions.ts'

const NONE = Object.fromEntries(PERMISSIONS.map((name) => [name, false]))

test.each(['', '{', 'null', '1', '"all"', 'true', 'undefined', '[]', '["tag"]'])(
  'a stored value that is no object gives no permission: %p',
  (stored) => expect(permissionsFromStored(stored)).toEqual(expect.objectContaining(NONE)),
)

test('a permission that is not stored, or not as yes or no, is as for a new user', () => {
  expect(permissionsFromStored('{}')).toEqual(DEFAULT_PERMISSIONS)
  expect(permissionsFromStored('{"tag":false,"delete":"yes","fly":true}')).toEqual({ ...DEFAULT_PERMISSIONS, tag: false })
  expect(permissionsFromStored('{"__proto__":{"delete":true}}')).toEqual(DEFAULT_PERMISSIONS)
})

test('an administrator may everything and sees everything, others what they were given', () => {
  const user: Viewer = { userId: 2, username: 'u', role: 'user', permissions: permissionsFromStored('x'), libraryIds: [1] }
  for (const permission of PERMISSIONS) {
    expect(can(user, permission)).toBe(false)
    expect(can({ ...user, role: 'admin' }, permission)).toBe(true)
  }
  expect(canSeeLibrary(user, 2)).toBe(false)
  expect(canSeeLibrary(user, 1)).toBe(true)
  expect(canSeeLibrary({ ...user, libraryIds: [] }, 1)).toBe(false)
  expect(canSeeLibrary({ ...user, libraryIds: null }, 2)).toBe(true)
  expect(canSeeLibrary({ ...user, role: 'admin' }, 2)).toBe(true)
})
