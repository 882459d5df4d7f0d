/** JSON as models answer with it: alone, inside prose, or cut off. Every function reads its text a bounded number of times. */

/** How many opening brackets are tried; prose has few of them before the answer. */
const MAX_STARTS = 40
const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' }
/** Deeper nesting than any answer has, and less than what exhausts the stack of a parser. */
const MAX_DEPTH = 200

/** Where the value that opens at `start` ends (exclusive); undefined where it does not. */
const endOf = (text: string, start: number): number | undefined => {
  const open: string[] = []
  let isInString = false
  for (let at = start; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (isInString) {
      if (sign === '\\') at++
      else if (sign === '"') isInString = false
    } else if (sign === '"') isInString = true
    else if (CLOSING[sign] !== undefined) {
      if (open.push(CLOSING[sign]) > MAX_DEPTH) return undefined
    } else if (sign === '}' || sign === ']') {
      if (open.pop() !== sign) return undefined
      if (open.length === 0) return at + 1
    }
  }
  return undefined
}

const parsed = (text: string): { value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    // What looks like JSON in an answer need not be any.
    return undefined
  }
}

/** Nothing shorter is nested too deep. */
const SHORT = 2 * MAX_DEPTH

/** The objects and arrays that stand in a text, in order; none inside another. */
export const jsonIn = (text: string): unknown[] => {
  const whole = text.length <= SHORT && CLOSING[text[0] ?? ''] !== undefined ? parsed(text) : undefined
  if (whole) return [whole.value]
  const values: unknown[] = []
  const opening = /[{[]/g
  for (let starts = 0; starts < MAX_STARTS; starts++) {
    const start = opening.exec(text)?.index
    if (start === undefined) break
    const end = endOf(text, start)
    const found = end === undefined ? undefined : parsed(text.slice(start, end))
    if (!found || end === undefined) continue
    values.push(found.value)
    opening.lastIndex = end
  }
  return values
}

/** A string of one line, or the beginning of one without an end, so that none is looked for again from each quotation mark in it. */
const STRING = /"(?:[^"\\\n]|\\.)*"?/g

/** The whole strings of an array that was cut off before its end; undefined where the text holds no such array. */
export const cutOffStrings = (text: string): string[] | undefined => {
  const start = /\[\s*"/.exec(text)?.index
  if (start === undefined) return undefined
  return [...text.slice(start).matchAll(STRING)].flatMap(([quoted]) => {
    const string = parsed(quoted)?.value
    return typeof string === 'string' ? [string] : []
  })
}
