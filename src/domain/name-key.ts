import { normalForm } from './normal-form.ts'

/**
 * Full case folding (Unicode, 3.13) by the tables that the runtime has: upper case brings together what lower case
 * alone keeps apart (ß and SS, ς and σ). The dotless i is the one letter that it would take for another.
 */
const foldCase = (text: string): string => text.replace(/[^ı]+/g, (part) => part.toLowerCase().toUpperCase().toLowerCase())

/** ASCII, for which all of that comes to the same; imports have a hundred thousand names. */
const IS_ASCII = /^[\x00-\x7f]*$/

/**
 * What must be unique where names of tags and tag categories may not differ by case alone (API.md, 8: 409
 * `duplicate_name`): case-folded, in composed form (NFC). Accents stay letters of their own: "Resume" is not "Résumé".
 */
export const nameKey = (name: string): string =>
  IS_ASCII.test(name) ? name.toLowerCase() : foldCase(normalForm(name, 'NFC')).normalize('NFC')

/** Marks that Latin, Greek and Cyrillic put on letters. Those of other scripts are letters of theirs (Thai vowels, Japanese sounds). */
export const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+/g

/** Letters that people type without their stroke, and that Unicode does not take apart. */
const PLAIN: Record<string, string> = {
  ß: 'ss',
  ς: 'σ',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
}
const NOT_PLAIN = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')

/** Of a text in small letters. */
export const plainLetters = (text: string): string => text.replace(NOT_PLAIN, (letter) => PLAIN[letter] ?? letter)

const withoutAccents = (name: string): string => {
  const plain = normalForm(name, 'NFD').replace(ACCENTS, '')
  // Nothing would be in every name.
  return plain === '' ? name : plain
}

/** All but the old forms of Cyrillic letters, which the full-text tables keep apart. */
const MODERN = /[^\u1c80-\u1c88]+/g

/**
 * What a part of a name is looked for in. Case and accents do not count, in any script: "amelie" is in "Amélie", "STRASSE" in
 * "Straße", "film" in "ﬁlm". Everything else does.
 */
export const searchKey = (name: string): string =>
  IS_ASCII.test(name) ? name.toLowerCase() : plainLetters(normalForm(withoutAccents(name), 'NFC').replace(MODERN, foldCase))
