import { normalForm } from './normal-form.ts'

/**
 * Full case folding (Unicode, 3.13) by the tables that the runtime has: upper case brings together what lower case
 * alone keeps apart (ß and SS, ς and σ). The dotless i is the one letter that it would take for another.
 */
const foldCase = (text: string): string => text.replace(/[^ı]+/g, (part) => part.toLowerCase().toUpperCase().toLowerCase())

/** ASCII, for which all of that comes to the same; imports have a hundred thousand names. */
const PLAIN = /^[ -~]*$/

/**
 * What must be unique where names of tags and tag categories may not differ by case alone (API.md, 8: 409
 * `duplicate_name`): case-folded, in composed form (NFC). Accents stay letters of their own: "Resume" is not "Résumé".
 */
export const nameKey = (name: string): string =>
  PLAIN.test(name) ? name.toLowerCase() : foldCase(normalForm(name, 'NFC')).normalize('NFC')
