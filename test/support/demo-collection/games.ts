import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { file, link, makeTree, type Tree } from '../library-tree.ts'
import { makeTarGz, makeZip } from '../real-media.ts'
import { GAMES, type GameTitle } from './catalogue.ts'
import { poster } from './posters.ts'
import type { Job, Scale } from './scale.ts'
import { drawnScene, photograph, randomFrom, seedOf } from './scenes.ts'

/** Games as folders of archives for one or several systems, in a series or alone, with covers and screenshots. */

const SAVE_BYTES = 60_000

const noise = (seed: number, bytes: number): Uint8Array => {
  const random = randomFrom(seed)
  return Uint8Array.from({ length: bytes }, () => Math.floor(random() * 256))
}

/** A disk image by its trailer: "koly", the version and the size of the trailer, then zeroes up to 512 bytes. */
const diskImage = (seed: number): Uint8Array => {
  const trailer = Buffer.alloc(512)
  trailer.write('koly', 'latin1')
  trailer.writeUInt32BE(4, 4)
  trailer.writeUInt32BE(512, 8)
  return Buffer.concat([noise(seed, SAVE_BYTES), trailer])
}

const infoPlist = (title: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
  <key>CFBundleName</key><string>${title}</string>
  <key>CFBundleExecutable</key><string>${title}</string>
  <key>CFBundleVersion</key><string>1.2</string>
</dict></plist>
`

/** A macOS bundle with what a download must keep: the executable bit, links within it, an empty folder. */
const appBundle = (title: string, seed: number): Tree => ({
  Contents: {
    'Info.plist': infoPlist(title),
    MacOS: { [title]: file({ content: '#!/bin/sh\necho "Hello"\n', mode: 0o755 }) },
    Frameworks: {
      'Engine.framework': {
        'Versions/A': { Engine: file({ content: noise(seed, SAVE_BYTES), mode: 0o755 }) },
        'Versions/Current': link('A'),
        Engine: link('Versions/Current/Engine'),
      },
    },
    Resources: { 'strings.txt': 'play = Play\nquit = Quit\n', Plugins: {} },
  },
})

const makeArchive: Record<GameTitle['platforms'][number], (folder: string, title: string, seed: number) => Promise<unknown>> = {
  windows: (folder, title, seed) =>
    makeZip(join(folder, `${title}-windows.zip`), {
      'setup.exe': Buffer.concat([Buffer.from('MZ'), noise(seed, SAVE_BYTES)]),
      'readme.txt': `${title}\r\n`,
    }),
  linux: (folder, title, seed) =>
    makeTarGz(join(folder, `${title}-linux.tar.gz`), {
      run: file({ content: '#!/bin/sh\n./game\n', mode: 0o755 }),
      game: noise(seed, SAVE_BYTES),
    }),
  macos: (folder, title, seed) => writeFile(join(folder, `${title}.dmg`), diskImage(seed)),
  app: async (folder, title, seed) => makeTree(join(folder, `${title}.app`), appBundle(title, seed)),
}

/** What came with it, in some households. */
const makeExtras = async (folder: string, title: string, seed: number): Promise<void> => {
  makeTree(folder, { manual: { 'manual.txt': `${title}\n\nArrow keys move, Space jumps.\n` }, patches: {} })
  await makeZip(join(folder, 'patches', `${title} 1.1.zip`), { 'patch.exe': Buffer.concat([Buffer.from('MZ'), noise(seed, SAVE_BYTES)]) })
}

const SCREENSHOT_TIMES_MS = [1_700_000_000_000, 1_700_000_360_000, 1_700_001_000_000]

const makeGame = async (root: string, game: GameTitle, index: number, scale: Scale): Promise<void> => {
  const folder = join(root, game.series ?? '.', game.title)
  const seed = seedOf(game.title)
  await mkdir(join(folder, 'screenshots'), { recursive: true })
  for (const platform of game.platforms) await makeArchive[platform](folder, game.title, seed)
  if (index % 4 === 0) await makeExtras(folder, game.title, seed)
  // Every fourth game came without a cover.
  if (index % 4 !== 3) await (await poster({ ...game, ...scale.poster })).jpeg({ quality: 86 }).toFile(join(folder, 'cover.jpg'))
  if (index % 3 === 0) await drawnScene(game.scene, seed, scale.wide).jpeg({ quality: 84 }).toFile(join(folder, 'widecover.jpg'))
  for (const [number, time] of SCREENSHOT_TIMES_MS.entries()) {
    const picture =
      number === 1 ? await photograph(game.scene, seed + number, scale.wide) : drawnScene(game.scene, seed + number, scale.wide)
    await picture.jpeg({ quality: 80 }).toFile(join(folder, 'screenshots', `shot-${time}.jpg`))
  }
}

export const gameJobs = (root: string, scale: Scale): Job[] =>
  GAMES.slice(0, scale.games).map((game, index) => () => makeGame(root, game, index, scale))
