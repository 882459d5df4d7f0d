import { expect, test } from 'bun:test'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasVersion, identityOf, UnitHash, versionOf } from '../../src/scan/entry-hash.ts'
import type { FileEntry, FolderEntry } from '../../src/scan/folder-tree.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { memoryTree } from './memory-tree.ts'

const file = (changes: Partial<FileEntry> = {}): FileEntry => ({
  name: 'a.jpg',
  path: 'x/a.jpg',
  size: 10,
  mtimeMs: 1_700_000_000_000.5,
  birthtimeMs: 1_600_000_000_000,
  ino: 4711,
  dev: 65024,
  ...changes,
})

test('without a birth time there is no identity: an inode number alone is used again', () => {
  expect(identityOf(file({ birthtimeMs: 0 }))).toBeNull()
})

test('an identity survives a rename, a rewrite and another mount, and is a safe integer', () => {
  const identity = identityOf(file())
  expect(identityOf(file({ name: 'b.jpg', path: 'y/b.jpg', size: 99, mtimeMs: 5, dev: 1 }))).toBe(identity)
  expect(Number.isSafeInteger(identity)).toBe(true)
  for (const change of [{ ino: 4712 }, { birthtimeMs: 1 }, { birthtimeMs: 2 }]) expect(identityOf(file(change))).not.toBe(identity)
})

test('a quarter of a million neighbouring inodes have as many identities', () => {
  const identities = new Set<number | null>()
  for (let ino = 0; ino < 250; ino += 1) {
    for (let birth = 1; birth <= 1000; birth += 1)
      identities.add(identityOf(file({ ino: 131_072 + ino, birthtimeMs: 1_700_000_000_000 + birth })))
  }
  expect(identities.size).toBe(250_000)
})

test('a version is short and URL-safe, and changes with inode, size and time, not with the name', () => {
  const version = versionOf(file())
  expect(version).toMatch(/^[0-9a-z]{1,16}$/)
  expect(versionOf(file({ name: 'b.jpg', dev: 1, birthtimeMs: 0 }))).toBe(version)
  for (const change of [{ ino: 1 }, { size: 11 }, { mtimeMs: 1_700_000_000_000.25 }]) expect(versionOf(file(change))).not.toBe(version)
})

const hashOf = (folder: FolderEntry): string => {
  const hash = new UnitHash()
  hash.addFolder(folder)
  return hash.take()
}

const tree = () => memoryTree('Show', { 'a.mkv': 1, 'Season 1': { 'b.mkv': 2, 'c.mkv': 3 } })

test('equal units have equal hashes, and taking one leaves nothing behind', () => {
  const hash = new UnitHash()
  hash.addFolder(tree())
  const first = hash.take()
  hash.addFolder(tree())
  expect(hash.take()).toBe(first)
})

test('a name, size, time or inode anywhere in the unit changes its hash', () => {
  const before = hashOf(tree())
  const changes: ((folder: FolderEntry) => void)[] = [
    ({ folders: [season] }) => Object.assign(season?.files[0] ?? {}, { name: 'bb.mkv' }),
    ({ folders: [season] }) => Object.assign(season?.files[0] ?? {}, { size: 5 }),
    ({ folders: [season] }) => Object.assign(season?.files[0] ?? {}, { mtimeMs: 5 }),
    ({ files: [first] }) => Object.assign(first ?? {}, { ino: 99 }),
    ({ folders: [season] }) => Object.assign(season ?? {}, { name: 'Season 2' }),
    ({ folders: [season] }) => season?.files.pop(),
    ({ folders }) => folders.pop(),
  ]
  const hashes = changes.map((change) => {
    const changed = tree()
    change(changed)
    return hashOf(changed)
  })
  expect(new Set([before, ...hashes]).size).toBe(changes.length + 1)
})

test("device numbers and folders' times do not change a hash: mounts and hidden files do", () => {
  const changed = tree()
  Object.assign(changed, { dev: 99, mtimeMs: 1 })
  Object.assign(changed.files[0] ?? {}, { dev: 99 })
  expect(hashOf(changed)).toBe(hashOf(tree()))
})

test('a unit of many files is hashed whole', () => {
  const many = (size: number) =>
    memoryTree('M', Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`f${index}`, index === 4999 ? size : 1])))
  expect(hashOf(many(1))).not.toBe(hashOf(many(2)))
})

test('of an open file of another version whose name is gone, no version is told, and nothing fails', async () => {
  await using folder = await temporaryFolder('entry-hash')
  const path = join(folder.path, 'poster.jpg')
  await Bun.write(path, 'poster')
  await using handle = await open(path)
  await rm(path)
  expect(await hasVersion(handle, 'another', path)).toBe(false)
})
