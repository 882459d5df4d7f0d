/**
 * Which files are games, and for which system.
 * The specification: windows = `.zip`; linux = `.tar.gz`, "other archive types for Linux are also accepted";
 * macos = a `.dmg` file or a `.app` folder. Everything else here is an addition.
 */

export const GAME_PLATFORMS = ['windows', 'linux', 'macos'] as const
export type GamePlatform = (typeof GAME_PLATFORMS)[number]

/**
 * `archive` makes the folder around it a game. `installer` does so only where no subfolder is a game,
 * since a single launcher or uninstaller beside game folders does not turn a series into a game.
 */
export interface GameFileType {
  platform: GamePlatform
  strength: 'archive' | 'installer'
}

/** Longest ending first where one ends in another. */
const GAME_FILE_ENDINGS: readonly (readonly [ending: string, platform: GamePlatform, strength: GameFileType['strength']])[] = [
  ['.zip', 'windows', 'archive'],
  ['.rar', 'windows', 'archive'],
  ['.exe', 'windows', 'installer'],
  ['.msi', 'windows', 'installer'],
  ['.iso', 'windows', 'installer'],
  ['.tar.gz', 'linux', 'archive'],
  ['.tar.xz', 'linux', 'archive'],
  ['.tar.zst', 'linux', 'archive'],
  ['.tar.bz2', 'linux', 'archive'],
  ['.tar.lz4', 'linux', 'archive'],
  ['.tar.lzma', 'linux', 'archive'],
  ['.tar.lz', 'linux', 'archive'],
  ['.tar', 'linux', 'archive'],
  ['.tgz', 'linux', 'archive'],
  ['.txz', 'linux', 'archive'],
  ['.tzst', 'linux', 'archive'],
  ['.tbz2', 'linux', 'archive'],
  ['.tbz', 'linux', 'archive'],
  ['.7z', 'linux', 'archive'],
  ['.appimage', 'linux', 'installer'],
  ['.flatpak', 'linux', 'installer'],
  ['.deb', 'linux', 'installer'],
  ['.rpm', 'linux', 'installer'],
  ['.run', 'linux', 'installer'],
  ['.sh', 'linux', 'installer'],
  ['.dmg', 'macos', 'archive'],
  ['.pkg', 'macos', 'installer'],
]

/** `.zip.001`, `.7z.002`: volumes of a split archive stand for the archive. */
const SPLIT_VOLUME = /\.\d{3}$/

/** What a file name says about the file, or undefined for a file that is no game. */
export const findGameFileType = (fileName: string): GameFileType | undefined => {
  const name = fileName.toLowerCase().replace(SPLIT_VOLUME, '')
  for (const [ending, platform, strength] of GAME_FILE_ENDINGS) {
    if (name.length > ending.length && name.endsWith(ending)) return { platform, strength }
  }
  return undefined
}

/** Files that are of no use alone: what they continue, by the ending of both. GOG's installers come as `.exe` and `-1.bin`. */
const CONTINUATIONS: readonly (readonly [volume: RegExp, ending: string])[] = [
  [/\.z\d{2}$/, '.zip'],
  [/\.[r-t]\d{2}$/, '.rar'],
  [/-\d{1,2}\.bin$/, '.exe'],
]

/** The file, in lower case, that a volume of a split archive or installer would belong to, should it lie beside it. */
export const continuedBy = (fileName: string): string | undefined => {
  const name = fileName.toLowerCase()
  const [volume, ending] = CONTINUATIONS.find(([expression]) => expression.test(name)) ?? []
  return volume && ending ? name.replace(volume, ending) : undefined
}

/** A macOS application is a folder, and is delivered as one file. */
export const isAppBundleName = (folderName: string): boolean => folderName.length > 4 && folderName.toLowerCase().endsWith('.app')

/**
 * Folders beside a game's archives that hold more of the same game, never a game of their own
 * (RomM's categories: dlc hack manual mod patch update demo translation soundtrack; and what installers leave behind).
 * Words of films and series, such as "extras", mean nothing here (API.md, 4).
 */
const GAME_EXTRAS_FOLDERS: ReadonlySet<string> = new Set(
  `artwork cheat cheats crack dlc dlcs docs goodies hack hacks manual manuals mod mods music ost patch patches redist
   _redist _commonredist save saves screenshot screenshots soundtrack trainer trainers translation translations update updates`.split(
    /\s+/,
  ),
)

export const isGameExtrasFolder = (folderName: string): boolean => GAME_EXTRAS_FOLDERS.has(folderName.toLowerCase())

/** With an archive in it such a folder is a game like any other. */
const BONUS_FOLDERS: ReadonlySet<string> = new Set(['bonus', 'extra', 'extras'])

export const isBonusFolder = (folderName: string): boolean => BONUS_FOLDERS.has(folderName.toLowerCase())
