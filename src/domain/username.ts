/**
 * The rules of user names. Kept as typed but trimmed and composed (NFC); what must be unique is the key.
 * After RFC 8265 (PRECIS UsernameCaseMapped), with spaces and symbols allowed: they are names of people, not accounts.
 */

const MAX_USERNAME_CHARACTERS = 64

/** Control, format, private, unassigned and lone surrogate characters, and line separators. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/u

/** Joiners are format characters too, but Persian names and emoji families are spelled with them. */
const JOINERS = /[\u200c\u200d]/gu

/** The name as it is kept and shown. */
export const cleanUsername = (name: string): string => name.normalize('NFC').trim()

/** What two names that look alike have in common: case, compatibility forms (full width) and joiners do not count. */
export const usernameKey = (name: string): string =>
  cleanUsername(name).normalize('NFKC').replace(JOINERS, '').toUpperCase().toLowerCase().normalize('NFKC').trim()

/** Why a cleaned name cannot be taken, or undefined where it can. */
export const usernameProblem = (name: string): string | undefined => {
  const length = [...name].length
  if (length === 0 || usernameKey(name) === '') return 'A name is needed'
  if (length > MAX_USERNAME_CHARACTERS) return `At most ${MAX_USERNAME_CHARACTERS} characters`
  if (UNSEEN.test(name.replace(JOINERS, ''))) return 'Control and invisible characters are not allowed'
  return undefined
}
