import { createSignal } from 'solid-js'

const MAX_CACHED = 1000
const cache = new Map<string, string>()

type Decode = (hash: Uint8Array) => string

/** In a chunk of its own: the cards do not wait for it. */
const [decode, setDecode] = createSignal<Decode>()
let isAsked = false

const loadDecoder = () => {
  if (isAsked) return
  isAsked = true
  import('thumbhash').then(
    ({ thumbHashToDataURL }) => setDecode(() => thumbHashToDataURL),
    () => {
      // Without placeholders the cards are grey until their pictures are there; the next card asks again.
      isAsked = false
    },
  )
}

const bytesOf = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))

/** A tiny blurred picture as a CSS background, from a base64 thumbhash; undefined where the text is none, and until the decoder is there. */
export const thumbhashBackground = (hash: string | null): string | undefined => {
  if (!hash) return undefined
  const known = cache.get(hash)
  if (known) return known
  const toUrl = decode()
  if (!toUrl) {
    loadDecoder()
    return undefined
  }
  let background: string
  try {
    background = `url(${toUrl(bytesOf(hash))}) center / 100% 100%`
  } catch {
    // A damaged placeholder is no reason to lose the card.
    return undefined
  }
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(hash, background)
  return background
}
