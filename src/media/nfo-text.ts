/**
 * The bytes of an NFO file as text that an XML parser takes. People and programs write these files loosely; what can be
 * read in one way only is read so (FEATURES.md 1.5, "Tolerances"), without ever guessing at markup.
 */

import { decodeUnmarked } from './subtitles-charset.ts'

const UTF_8 = 'utf-8'

/** Byte order marks, and UTF-16 without one told by the NUL beside the first "<" (XML 1.0, appendix F). */
const SIGNATURES: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  [UTF_8, [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-16le', [0x3c, 0x00]],
  ['utf-16be', [0x00, 0x3c]],
]

const DECLARED = /^\s*<\?xml\s[^>]{0,200}?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/
const DECLARATION_BYTES = 300

/** A declaration in ASCII that says UTF-16 is not true of itself: the file was converted, and its first line was not. */
const declaredEncoding = (bytes: Uint8Array): string | undefined => {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES))
  const [, label] = DECLARED.exec(head) ?? []
  return label === undefined || /^(?:utf-?16|ucs-?2|unicode)/i.test(label) ? undefined : label
}

/** A label that the Encoding Standard does not know counts as none. */
const decoderFor = (label: string | undefined): TextDecoder => {
  try {
    return new TextDecoder(label)
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder(UTF_8)
    throw error
  }
}

/**
 * Bytes that the encoding does not have become U+FFFD; a byte order mark is left out. What no declaration, or one of UTF-8, says
 * nothing true of was typed into an editor of another encoding: Kodi falls back to that of its interface's language (`CXBMCTinyXML`).
 */
export const decodeText = (bytes: Uint8Array): string => {
  const [encoding] = SIGNATURES.find(([, signature]) => signature.every((byte, place) => bytes[place] === byte)) ?? []
  const decoder = decoderFor(encoding ?? declaredEncoding(bytes))
  return encoding === undefined && decoder.encoding === UTF_8 ? decodeUnmarked(bytes, null) : decoder.decode(bytes)
}

/** Named entities of HTML that scrapers leave in texts: Latin-1 in the order of its characters, from U+00A0. */
const LATIN_ENTITIES = `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro
  para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc
  Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave
  aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml
  divide oslash ugrave uacute ucirc uuml yacute thorn yuml`
const FIRST_LATIN = 0xa0

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(LATIN_ENTITIES.split(/\s+/).map((name, index) => [name, String.fromCharCode(FIRST_LATIN + index)])),
  ...{ ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', hellip: '…', bull: '•', euro: '€', trade: '™' },
}

/** Every "&" but those of XML's own five entities. */
const REFERENCE = /&(?!(?:amp|lt|gt|quot|apos);)(?:#(\d{1,7});|#[xX]([\da-fA-F]{1,6});|([A-Za-z]\w{1,31});)?/g

/** Characters that XML 1.0 allows (production 2). */
const isXmlCharacter = (code: number): boolean =>
  code === 9 ||
  code === 10 ||
  code === 13 ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  (code >= 0x10000 && code <= 0x10ffff)

const repairReference = (whole: string, decimal?: string, hexadecimal?: string, name?: string): string => {
  if (decimal ?? hexadecimal) {
    const code = decimal ? Number(decimal) : Number.parseInt(hexadecimal ?? '', 16)
    return isXmlCharacter(code) ? `&#${code};` : ''
  }
  // A lone "&", as in `Tom & Jerry`, is what it looks like: Kodi's TinyXML reads it so.
  return (name && Object.hasOwn(HTML_ENTITIES, name) ? HTML_ENTITIES[name] : undefined) ?? whole.replace('&', '&amp;')
}

/** What XML 1.0 does not allow, apart from lone surrogates, which no decoder gives. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** A declaration is only legal at the very start, and stacked files bring one each; encodings are settled by now. */
const XML_DECLARATION = /<\?xml\s[^<>]{0,300}?\?>/g

const COMMENT_OR_CDATA = /<!(?:--|\[CDATA\[)/g

const repairMarkup = (part: string): string => part.replace(REFERENCE, repairReference).replaceAll(']]>', ']]&gt;')

/**
 * Takes out what XML forbids, and comments, which are often not written to its letter; escapes each "&" that stands for
 * itself. CDATA sections stay as they are. One pass: a file of nothing but openings costs no more than any other.
 */
export const repairText = (text: string): string => {
  const legal = text.replace(FORBIDDEN, '').replace(XML_DECLARATION, '')
  const repaired: string[] = []
  for (let at = 0; ; ) {
    COMMENT_OR_CDATA.lastIndex = at
    const opening = COMMENT_OR_CDATA.exec(legal)
    if (!opening) return [...repaired, repairMarkup(legal.slice(at))].join('')
    const isComment = opening[0] === '<!--'
    const end = legal.indexOf(isComment ? '-->' : ']]>', opening.index + opening[0].length)
    if (opening.index > at) repaired.push(repairMarkup(legal.slice(at, opening.index)))
    // Without an end it is for the parser to refuse.
    at = end < 0 ? legal.length : end + 3
    if (!isComment || end < 0) repaired.push(legal.slice(opening.index, at))
  }
}
