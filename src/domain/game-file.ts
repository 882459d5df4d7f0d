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
interface GameFileType {
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
  ['.tar.lzo', 'linux', 'archive'],
  ['.tar.lz', 'linux', 'archive'],
  ['.tar.z', 'linux', 'archive'],
  ['.tar', 'linux', 'archive'],
  ['.tgz', 'linux', 'archive'],
  ['.txz', 'linux', 'archive'],
  ['.tzst', 'linux', 'archive'],
  ['.tbz2', 'linux', 'archive'],
  ['.tbz', 'linux', 'archive'],
  ['.tb2', 'linux', 'archive'],
  ['.tlz', 'linux', 'archive'],
  ['.taz', 'linux', 'archive'],
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

/**
 * Volumes of a split archive stand for the archive: `.zip.001`, `.7z.002`, `.zip.part1`, and what `split` makes, `.tar.gz.aa`
 * and `.tar.gz-ab` (patool issue #56).
 */
const SPLIT_VOLUME = /(?:\.\d{3}|\.part\d{1,3}|[.-]a[a-z])$/

/** The endings that the specification itself gives a system; what a name says besides does not count there. */
const SPECIFIED: ReadonlySet<string> = new Set(['.zip', '.tar.gz', '.dmg'])

/** GameVault's marks: Windows portable, setup and software, Linux portable and software. */
const PLATFORM_MARKS: readonly (readonly [mark: RegExp, platform: GamePlatform])[] = [
  [/\(w_(?:p|s|sw)\)/, 'windows'],
  [/\(l_(?:p|sw)\)/, 'linux'],
]

/** What a file name says about the file, or undefined for a file that is no game. */
export const findGameFileType = (fileName: string): GameFileType | undefined => {
  const name = fileName.toLowerCase().replace(SPLIT_VOLUME, '')
  for (const [ending, platform, strength] of GAME_FILE_ENDINGS) {
    if (name.length <= ending.length || !name.endsWith(ending)) continue
    const [, marked] = PLATFORM_MARKS.find(([mark]) => !SPECIFIED.has(ending) && mark.test(name)) ?? []
    return { platform: marked ?? platform, strength }
  }
  return undefined
}

/**
 * Files that are of no use alone: what they continue, by the ending of both. GOG's installers come as `.exe` and `-1.bin`
 * (Inno Setup; `-1a.bin` where there are slices), segments of a disk image as `.002.dmgpart`.
 */
const CONTINUATIONS: readonly (readonly [volume: RegExp, ending: string])[] = [
  [/\.z\d{2,3}$/, '.zip'],
  [/\.[r-y]\d{2}$/, '.rar'],
  [/-\d{1,2}[a-z]?\.bin$/, '.exe'],
  [/\.\d{3}\.dmgpart$/, '.dmg'],
]

/** The file, in lower case, that a volume of a split archive or installer would belong to, should it lie beside it. */
export const continuedBy = (fileName: string): string | undefined => {
  const name = fileName.toLowerCase()
  const [volume, ending] = CONTINUATIONS.find(([expression]) => expression.test(name)) ?? []
  return volume && ending ? name.replace(volume, ending) : undefined
}

/**
 * What is a game by itself, and none of the installers that a game brings along (`DirectX/DXSETUP.exe`, `bin/game.exe`): an
 * image of its disc, or an installer that is called as GOG calls them.
 */
export const isOwnGame = (fileName: string): boolean => /\.iso$|^setup_.+\.exe$/i.test(fileName)

/** What may be the same program in many games, each with data of its own around it: `setup.exe` of InstallShield, `Game.exe` of an engine. */
export const isSharedProgram = (fileName: string): boolean => /\.(?:exe|msi|sh|run)$/i.test(fileName) && !isOwnGame(fileName)

/** What Windows needs for many games, by the name of the file or folder: `DirectX`, `vcredist_x64.exe`. */
export const isRedistributable = (name: string): boolean =>
  /^_?(?:common)?(?:redist|prereq|directx|dx(?:web)?setup|vc_?redist|dot_?net|physx|oalinst|xna)/i.test(name)

const SUPPLEMENT = /(?<!\p{L})(?:patch|update|hotfix|dlc|crack|trainer|manual|artbook|soundtrack|ost|bonus|goodies)(?!\p{L})/iu

/** What adds to the game beside it by its name: `Game Patch.zip` beside `Game.zip`. */
export const isSupplement = (fileName: string): boolean => SUPPLEMENT.test(fileName)

/** Words that no game is called by, and versions. */
const SURE_SUPPLEMENT = /(?<!\p{L})(?:(?:hotfix|dlc|artbook|soundtrack|ost|goodies)(?!\p{L})|(?:patch|update)[\s._-]*v?\d)/iu
const SAYS_NOTHING = /^(?:\p{N}+|contents?|dis[ck]s?|cd|dvd|files?|materials?|packs?|v\d+)$/iu
const wordsOf = (name: string): string[] => name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/**
 * The same of a folder, which may also be a game: the rest of its name is that of what is around it (`names`), or says nothing.
 * `Patch 1.08` and `Bonus Disc`, but neither `Manual Samuel` nor `Patch Quest`.
 */
export const isSupplementFolder = (folderName: string, names: readonly string[]): boolean => {
  if (!isSupplement(folderName)) return false
  const around = new Set(names.flatMap(wordsOf))
  return (
    SURE_SUPPLEMENT.test(folderName) ||
    wordsOf(folderName).every((word) => SUPPLEMENT.test(word) || SAYS_NOTHING.test(word) || around.has(word))
  )
}

/** A macOS application is a folder, and is delivered as one file. */
export const isAppBundleName = (folderName: string): boolean => folderName.length > 4 && folderName.toLowerCase().endsWith('.app')

/**
 * Folders beside a game's archives that hold more of the same game, never a game of their own
 * (RomM's categories dlc hack manual mod patch update translation soundtrack, but no demo or prototype, which would be lost
 * in a series; lgogdownloader's folders; and what installers leave behind).
 * Words of films and series, such as "extras", mean nothing here (API.md, 4).
 */
const GAME_EXTRAS_FOLDERS: ReadonlySet<string> = new Set(
  `artwork cheat cheats crack dlc dlcs docs goodies hack hacks languagepacks manual manuals mod mods music ost patch patches redist
   _redist _commonredist save saves screenshot screenshots soundtrack trainer trainers translation translations update updates`.split(
    /\s+/,
  ),
)

export const isGameExtrasFolder = (folderName: string): boolean => GAME_EXTRAS_FOLDERS.has(folderName.toLowerCase())

/** With an archive in it such a folder is a game like any other. */
const BONUS_FOLDERS: ReadonlySet<string> = new Set(['bonus', 'extra', 'extras'])

export const isBonusFolder = (folderName: string): boolean => BONUS_FOLDERS.has(folderName.toLowerCase())
