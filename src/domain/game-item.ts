import { GAME_PLATFORMS, type GamePlatform } from './game-file.ts'
import type { ScannedFile } from './scanned-item.ts'

/** A file of a game, as the API shows it; `size` is null where only the oldest schema knew of it. */
export interface GameFile {
  name: string
  platform: GamePlatform
  size: number | null
  kind: 'file' | 'app_bundle'
}

/** `name`: relative to the game's folder, "/" separated; `size` in bytes. */
export interface GameExtra {
  name: string
  size: number
  kind: 'file' | 'app_bundle'
}

/** Game rows of the oldest schema list `zipFiles`; each is a file of platform windows (the user's specification, "Game"). */
export const readLegacyGameFiles = (data: string | null): GameFile[] => {
  const parsed: unknown = data === null ? null : parseOrNull(data)
  const zipFiles: unknown = parsed !== null && typeof parsed === 'object' ? Reflect.get(parsed, 'zipFiles') : undefined
  if (!Array.isArray(zipFiles)) return []
  return zipFiles
    .filter((name): name is string => typeof name === 'string')
    .map((name) => ({ name, platform: 'windows', size: null, kind: 'file' }))
}

/** Of the game itself: manuals, patches and music are of no platform. `files` is null in rows of the oldest schema. */
export const platformsOf = ({ files, data }: { files: readonly Pick<ScannedFile, 'platform' | 'role'>[] | null; data: string | null }) => {
  const found = files?.filter(({ role }) => role !== 'extra').map(({ platform }) => platform ?? 'windows')
  const platforms = new Set<GamePlatform>(found ?? readLegacyGameFiles(data).map(({ platform }) => platform))
  return GAME_PLATFORMS.filter((platform) => platforms.has(platform))
}

const parseOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
