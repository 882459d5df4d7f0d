/** The rules of passwords (API.md, 3): length alone, as NIST SP 800-63B 5.1.1.2 asks, and no rules of composition. */

export const MIN_PASSWORD_CHARACTERS = 8
export const MAX_PASSWORD_CHARACTERS = 256

/**
 * The text that is hashed: composed (NFC, the form of RFC 8265's OpaqueString), since the same keys give a composed
 * letter on one system and two characters on another. Nothing is trimmed, cut or folded.
 */
export const normalisePassword = (password: string): string => password.normalize('NFC')

/** UTF-16 units before composing, as for signing in: what is far longer is not composed to be counted, which may take minutes (normal-form.ts). */
const MAX_TYPED_LENGTH = 1024

/** Why a new password cannot be taken, or undefined where it can. Length is counted in Unicode characters. */
export const passwordProblem = (password: string): string | undefined => {
  const length = password.length > MAX_TYPED_LENGTH ? password.length : [...normalisePassword(password)].length
  if (length < MIN_PASSWORD_CHARACTERS) return `At least ${MIN_PASSWORD_CHARACTERS} characters`
  if (length > MAX_PASSWORD_CHARACTERS) return `At most ${MAX_PASSWORD_CHARACTERS} characters`
  return undefined
}
