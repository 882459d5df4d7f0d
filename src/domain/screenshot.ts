/** Names of screenshots: `shot-<milliseconds since the epoch>.jpg`, and nothing else (the user's specification, "Game"). */

export const SCREENSHOTS_FOLDER = 'screenshots'

/** Names to try for pictures taken at `timeMs` or, where that is taken, as soon after it as can be. */
export function* screenshotNames(timeMs: number): Generator<string> {
  for (let time = timeMs; ; time += 1) yield `shot-${time}.jpg`
}

/** When a screenshot was taken, in milliseconds since the epoch; null for pictures that came into the folder in another way. */
export const screenshotTime = (name: string): number | null => {
  const digits = /^shot-(\d{1,15})\.jpg$/.exec(name)?.[1]
  return digits === undefined ? null : Number(digits)
}

/** More than anybody looks at: an item names each of them, with its whole address. */
const MOST_SCREENSHOTS = 500

/** Of so many the newest, in the order in which they are given. */
export const newestScreenshots = <Picture>(pictures: readonly Picture[], nameOf: (picture: Picture) => string): Picture[] => {
  if (pictures.length <= MOST_SCREENSHOTS) return [...pictures]
  const timeOf = (picture: Picture): number => screenshotTime(nameOf(picture)) ?? 0
  const newest = new Set(pictures.toSorted((a, b) => timeOf(a) - timeOf(b)).slice(-MOST_SCREENSHOTS))
  return pictures.filter((picture) => newest.has(picture))
}
