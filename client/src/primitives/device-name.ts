const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const

const SYSTEMS = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X|Macintosh/],
  ['Linux', /Linux|X11/],
] as const

/** "Firefox, Windows" out of a User-Agent header; undefined where nothing in it is known. */
export const deviceName = (userAgent: string | null): string | undefined => {
  if (!userAgent) return undefined
  const found = (list: readonly (readonly [string, RegExp])[]) => list.find(([, pattern]) => pattern.test(userAgent))?.[0]
  return [found(BROWSERS), found(SYSTEMS)].filter((part) => part !== undefined).join(', ') || undefined
}
