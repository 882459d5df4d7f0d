/** Names that count what there is: `1of4`, `2 of 6`, `Titel (2_6)`. */

/** Only the first number of a name, as others may speak of a two-parter: `14.of.21`. */
const COUNTED = /^\D*?(?<![\p{L}\d])(\d{1,3})[ ._]?of[ ._]?(\d{1,3})(?![\p{L}\d])/iu
/** A slash cannot be in a file's name; MediathekView and others write an underscore. */
const IN_PARENTHESES = /\((\d{1,2})(?:[_⧸∕／]|\s?(?:of|von)\s?)(\d{1,2})\)/iu

const countedBy = (expression: RegExp, name: string): string | undefined => {
  const [, number, count] = expression.exec(name) ?? []
  return Number(number) <= Number(count) ? number : undefined
}

/** The digits of the 2 in `2 of 6`; undefined where there is no such number, or where it is greater than the count. */
export const findCounted = (name: string): string | undefined => countedBy(COUNTED, name)

/** The same of `(2_6)` and `(2 von 6)`. */
export const findCountedInParentheses = (name: string): string | undefined => countedBy(IN_PARENTHESES, name)
