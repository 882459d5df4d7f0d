/** Bytes of a subtitle file as text. Half of what lies beside films was written before anybody used UTF-8. */

/** What people of a language wrote in on Windows; anything else is Western European, or Cyrillic. */
const BY_LANGUAGE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['cs', 'hr', 'hu', 'pl', 'ro', 'sk', 'sl', 'bs', 'sq'].map((code) => [code, 'windows-1250'])),
  ...Object.fromEntries(['ru', 'uk', 'be', 'bg', 'mk', 'kk', 'mn'].map((code) => [code, 'windows-1251'])),
  el: 'windows-1253',
  tr: 'windows-1254',
  az: 'windows-1254',
  he: 'windows-1255',
  ar: 'windows-1256',
  fa: 'windows-1256',
  ur: 'windows-1256',
  et: 'windows-1257',
  lv: 'windows-1257',
  lt: 'windows-1257',
  vi: 'windows-1258',
  th: 'windows-874',
  ja: 'shift_jis',
  ko: 'euc-kr',
  zh: 'gb18030',
  'zh-Hant': 'big5',
  'zh-TW': 'big5',
  'zh-HK': 'big5',
}

/** Enough to tell by. */
const SAMPLE_BYTES = 4096
/** A word says too little about what a file is in; a film has thousands of letters. */
const MIN_ALPHABET_BYTES = 20
/** The styles at the head of a script are in English. */
const ALPHABET_SAMPLE_BYTES = 65_536

/** Text of an alphabet in UTF-16 without a byte order mark: every other byte is zero, or nearly. */
const wideCharset = (bytes: Uint8Array): string | undefined => {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const zeros = [0, 0]
  for (const [place, byte] of sample.entries()) if (byte === 0) zeros[place % 2] = (zeros[place % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (even + odd < sample.length / 8) return undefined
  return odd > even ? 'utf-16le' : 'utf-16be'
}

/** Of what is not ASCII, hardly anything is U+FFFD. */
const isHardlyBroken = (text: string): boolean => {
  let [sound, broken] = [0, 0]
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place)
    if (code === 0xfffd) broken += 1
    else if (code >= 0x80) sound += 1
  }
  return broken * 10 < sound
}

/** Also where bytes of it are broken, as by a program that cut its lines: of older character sets hardly any letters fit. */
const asUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const text = new TextDecoder('utf-8').decode(bytes)
    return isHardlyBroken(text) ? text : undefined
  }
}

const markedCharset = ([first, second]: Uint8Array): string | undefined =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : undefined

/** Letters of other alphabets than the Latin one stand in rows; among Latin ones those with accents stand alone. */
const isOtherAlphabet = (bytes: Uint8Array, least = 1): boolean => {
  let [high, inRow, before] = [0, 0, 0]
  for (const byte of bytes.subarray(0, ALPHABET_SAMPLE_BYTES)) {
    if (byte >= 0x80) high += 1
    if (byte >= 0x80 && before >= 0x80) inRow += 1
    before = byte
  }
  return high >= least && inRow * 2 > high
}

/** Serbian is written in both alphabets. Of the others, Cyrillic is what most files are in whose names say no language. */
const oldCharset = (bytes: Uint8Array, language: string | null): string => {
  const base = language?.split('-')[0] ?? ''
  if (base === 'sr') return isOtherAlphabet(bytes) ? 'windows-1251' : 'windows-1250'
  const known = BY_LANGUAGE[language ?? ''] ?? BY_LANGUAGE[base]
  return known ?? (language === null && isOtherAlphabet(bytes, MIN_ALPHABET_BYTES) ? 'windows-1251' : 'windows-1252')
}

/** UTF-8, or what was written in before: nothing says which. `language`: BCP 47, null where nothing tells it. */
export const decodeUnmarked = (bytes: Uint8Array, language: string | null): string =>
  asUtf8(bytes) ?? new TextDecoder(oldCharset(bytes, language)).decode(bytes)

/** `language`: BCP 47, of the file's name. A byte order mark is left out. */
export const decodeSubtitles = (bytes: Uint8Array, language: string | null): string => {
  const wide = markedCharset(bytes) ?? wideCharset(bytes)
  return wide === undefined ? decodeUnmarked(bytes, language) : new TextDecoder(wide).decode(bytes)
}
