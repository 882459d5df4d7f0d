/** Long texts in pieces that a model can answer to in one go. */

/** Where a text is cut, best first: between blocks, lines, sentences, words. Each leaves its own sign with what stands before it. */
const CUTS = [/\n{2,}/g, /\n/g, /(?<=[.!?…。！？])\s*/g, /\s+/g]

const lastCut = (text: string, limit: number): number => {
  for (const cut of CUTS) {
    let at = 0
    for (const { index, 0: sign } of text.slice(0, limit).matchAll(cut))
      if (index > 0 && index + sign.length < limit) at = index + sign.length
    if (at > limit / 3) return at
  }
  const isPair = /[\ud800-\udbff]/.test(text[limit - 1] ?? '')
  return Math.max(1, isPair ? limit - 1 : limit)
}

/** Pieces of at most `limit` UTF-16 units, which put together are the text again. */
export const cutIntoPieces = (text: string, limit: number): string[] => {
  const pieces: string[] = []
  let rest = text
  while (rest.length > limit) {
    const at = lastCut(rest, limit)
    pieces.push(rest.slice(0, at))
    rest = rest.slice(at)
  }
  return rest === '' ? pieces : [...pieces, rest]
}
