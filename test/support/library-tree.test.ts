import { expect, test } from 'bun:test'
import { lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { file, folder, link, makeTree, touch } from './library-tree.ts'
import { temporaryFolder } from './temporary-folder.ts'

test('a tree has the sizes, contents, links, modes and times of its description', async () => {
  await using root = await temporaryFolder('tree')
  const at = (path: string): string => join(root.path, path)
  makeTree(root.path, {
    'Alien (1979)/Alien.mkv': 40_000,
    Firefly: { 'tvshow.nfo': '<tvshow/>', 'poster.jpg': new Uint8Array([1, 2, 3]) },
    'old.jpg': file({ bytes: 10, modified: '2020-01-01' }),
    'run.sh': file({ content: '#!/bin/sh\n', mode: 0o755 }),
    loop: link('..'),
    shut: folder({ 'a.jpg': 1 }, { mode: 0o500, modified: '2021-01-01' }),
  })
  expect(statSync(at('Alien (1979)/Alien.mkv')).size).toBe(40_000)
  expect(readFileSync(at('Firefly/tvshow.nfo'), 'utf8')).toBe('<tvshow/>')
  expect(statSync(at('Firefly/poster.jpg')).size).toBe(3)
  expect(statSync(at('old.jpg')).mtime).toEqual(new Date('2020-01-01'))
  expect(statSync(at('run.sh')).mode & 0o777).toBe(0o755)
  expect(readlinkSync(at('loop'))).toBe('..')
  expect(statSync(at('shut')).mode & 0o777).toBe(0o500)
  expect(statSync(at('shut')).mtime).toEqual(new Date('2021-01-01'))
})

test('two sized files of one tree differ in content, and time can be set on a link itself', async () => {
  await using root = await temporaryFolder('tree')
  makeTree(root.path, { 'a.mkv': 500, 'b.mkv': 500, alias: link('a.mkv') })
  expect(readFileSync(join(root.path, 'a.mkv')).equals(readFileSync(join(root.path, 'b.mkv')))).toBe(false)
  touch(join(root.path, 'alias'), '2019-05-05')
  expect(lstatSync(join(root.path, 'alias')).mtime).toEqual(new Date('2019-05-05'))
  expect(statSync(join(root.path, 'a.mkv')).mtime.getFullYear()).not.toBe(2019)
})
