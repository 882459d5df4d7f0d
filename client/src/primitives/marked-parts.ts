interface TextPart {
  text: string
  isMarked: boolean
}

/** A text cut at its ranges (start and end in UTF-16 units, as the server counts). What lies outside the text, or overlaps, is left out. */
export const markedParts = (text: string, ranges: readonly (readonly [number, number])[]): TextPart[] => {
  const parts: TextPart[] = []
  let done = 0
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const [from, to] = [Math.max(start, done), Math.min(end, text.length)]
    if (from >= to) continue
    if (from > done) parts.push({ text: text.slice(done, from), isMarked: false })
    parts.push({ text: text.slice(from, to), isMarked: true })
    done = to
  }
  if (done < text.length) parts.push({ text: text.slice(done), isMarked: false })
  return parts
}
