import { expect, test } from 'bun:test'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { startScene } from '../support/scan-scene.ts'

test('a folder that gets its old name back brings its items back, and what is attached to them', async () => {
  await using scene = await startScene({
    movies: { 'Alien (1979)/Alien.mkv': 1000, 'Brazil (1985)/Brazil.mkv': 2000 },
    mixed: { 'summer/beach.txt': 'sand', 'stays.txt': '' },
  })
  const types = [
    { type: 'movies', before: 'Alien (1979)', after: 'Xenomorph (1979)', key: (name: string) => `movie:${scene.idOf('movies')}:${name}` },
    { type: 'mixed', before: 'summer', after: 'winter', key: (name: string) => `mixed_file:${scene.idOf('mixed')}:${name}/beach.txt` },
  ] as const
  for (const { type, before, after, key } of types) {
    const inRoot = (name: string): string => join(scene.rootOf(type), name)
    await scene.index.mark({ [key(before)]: type })
    renameSync(inRoot(before), inRoot(after))
    expect(await scene.scan(type)).toMatchObject({ status: 'done', moved: 1 })
    renameSync(inRoot(after), inRoot(before))
    expect(await scene.scan(type)).toMatchObject({ status: 'done', moved: 1 })
    renameSync(inRoot(before), join(scene.folder, 'away'))
    expect(await scene.scan(type)).toMatchObject({ status: 'done', missing: 1 })
    renameSync(join(scene.folder, 'away'), inRoot(before))
    expect(await scene.scan(type)).toMatchObject({ status: 'done', restored: 1 })
    expect((await scene.index.marks())[type]).toMatchObject({ itemKey: key(before), isMissing: false })
  }
})
