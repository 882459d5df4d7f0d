import { thumbHashToDataURL } from 'thumbhash'

const MAX_CACHED = 1000
const cache = new Map<string, string>()

const bytesOf = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))

/** A tiny blurred picture as a CSS background, from a base64 thumbhash; undefined where the text is none. */
export const thumbhashBackground = (hash: string | null): string | undefined => {
  if (!hash) return undefined
  const known = cache.get(hash)
  if (known) return known
  let background: string
  try {
    background = `url(${thumbHashToDataURL(bytesOf(hash))}) center / 100% 100%`
  } catch {
    // A damaged placeholder is no reason to lose the card.
    return undefined
  }
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(hash, background)
  return background
}
