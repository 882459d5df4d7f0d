const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const CONTROLS = /\p{Cc}/gu

/** RFC 8187: what is left as it is in a value with a character set, and the rest in UTF-8. */
const encodeExtended = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * RFC 6266: an ASCII name for old clients, and the true one. Control characters are dropped, and those that turn the
 * direction of writing, since `photo<U+202E>gpj.exe` shows as `photoexe.jpg`.
 */
export const contentDisposition = (kind: 'inline' | 'attachment', name: string): string => {
  const clean = name.toWellFormed().replace(CONTROLS, '').replace(BIDI_CONTROLS, '') || 'file'
  const ascii = clean.replace(/[^\x20-\x7e]|["\\%/]/g, '_')
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encodeExtended(clean)}`
}
