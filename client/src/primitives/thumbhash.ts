import { whenIdle } from './idle.ts'

const MAX_CACHED = 1000
const cache = new Map<string, string>()

type Decode = (hash: Uint8Array) => string

let loading: Promise<Decode> | undefined
/** In a chunk of its own, which only a picture that is late asks for. */
const loadDecoder = (): Promise<Decode> => {
  loading ??= import('thumbhash').then(
    ({ thumbHashToDataURL }) => thumbHashToDataURL,
    (error: unknown) => {
      // The next picture asks again.
      loading = undefined
      throw error
    },
  )
  return loading
}

const bytesOf = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))

const decode = async (hash: string): Promise<string | undefined> => {
  try {
    return `url(${(await loadDecoder())(bytesOf(hash))}) center / 100% 100%`
  } catch {
    // Without a decoder, or with a damaged placeholder, the card is grey until its picture is there.
    return undefined
  }
}

/**
 * A tiny blurred picture as a CSS background, from a base64 thumbhash; undefined where the text is none. It is made when there is
 * time, one after the other, and not at all where it `isWanted` no longer: most pictures are there sooner.
 */
export const thumbhashBackground = async (hash: string, isWanted: () => boolean): Promise<string | undefined> => {
  const known = cache.get(hash)
  if (known) return known
  await whenIdle()
  if (!isWanted()) return undefined
  await loadDecoder().catch(() => undefined)
  await whenIdle()
  const background = isWanted() ? await decode(hash) : undefined
  if (background === undefined) return undefined
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(hash, background)
  return background
}
