import type { GameFile } from '../api/types.ts'

type Platform = GameFile['platform']

/** The system that the visitor sits at; undefined on phones and tablets. */
export const platformOf = (userAgent: string): Platform | undefined => {
  if (/android|iphone|ipad/i.test(userAgent)) return undefined
  if (/windows/i.test(userAgent)) return 'windows'
  if (/macintosh|mac os/i.test(userAgent)) return 'macos'
  return /linux|x11/i.test(userAgent) ? 'linux' : undefined
}

/** Files for the visitor's own system first, otherwise in the server's order. */
export const forPlatformFirst = <File extends Pick<GameFile, 'platform'>>(
  files: readonly File[],
  platform: Platform | undefined,
): File[] => [...files.filter((file) => file.platform === platform), ...files.filter((file) => file.platform !== platform)]
