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
