/** The rules of names of tags, tag categories, mappings and libraries. Kept as typed but trimmed; what must be unique (libraries need not) is `nameKey`. */

/** In characters, not UTF-16 units (SECURITY.md, 3.7). */
export const MAX_TAG_NAME_CHARACTERS = 100

/** Control characters, lone surrogates and line separators: what no line of a list can show. Joiners stay, names are spelled with them. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u

/** Something to be seen, and to click on: neither blanks nor joiners and the like alone. */
const VISIBLE = /[^\p{Z}\p{Default_Ignorable_Code_Point}]/u

export const isVisible = (name: string): boolean => VISIBLE.test(name)

/** Why a trimmed name cannot be taken, or undefined where it can. */
export const tagNameProblem = (name: string, mostCharacters = MAX_TAG_NAME_CHARACTERS): string | undefined => {
  if (!isVisible(name)) return 'A name is needed'
  if ([...name].length > mostCharacters) return `At most ${mostCharacters} characters`
  if (UNPRINTABLE.test(name)) return 'Control characters are not allowed'
  return undefined
}

/** `Category/Tag`, which a merge leaves behind, and of one that somebody has given with yet another category in front of it. */
export const MAX_PLACE_CHARACTERS = 3 * MAX_TAG_NAME_CHARACTERS + 2

/** The same of a mapping, which may name the category too. */
export const mappingProblem = (source: string): string | undefined =>
  tagNameProblem(source, source.includes('/') ? MAX_PLACE_CHARACTERS : undefined)

/** `#rgb` or `#rrggbb`. Without flags: the patterns of JSON Schema, in the description of the API, know none. */
export const TAG_COLOR = /^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/
