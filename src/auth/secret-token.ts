import { generateIdFromEntropySize } from 'lucia'

/** 35 bytes are 280 bits and 56 characters of base32 without padding. */
const TOKEN_BYTES = 35
const TOKEN_FORM = /^[a-z2-7]{56}$/
const API_TOKEN_PREFIX = 'vt_'

export const newSessionToken = (): string => generateIdFromEntropySize(TOKEN_BYTES)

/** Sorts out what cannot be one of ours before the database is asked. */
export const isSessionToken = (text: string): boolean => TOKEN_FORM.test(text)

export const isApiToken = (text: string): boolean =>
  text.startsWith(API_TOKEN_PREFIX) && TOKEN_FORM.test(text.slice(API_TOKEN_PREFIX.length))

/** What the database keeps, in hex. The token is too long to be guessed, so one round without salt is enough. */
export const hashToken = (token: string): string => Bun.CryptoHasher.hash('sha256', token, 'hex')

/** The prefix lets people and secret scanners recognise a token that got somewhere it should not be. */
export const newApiToken = (): { token: string; tokenHash: string } => {
  const token = API_TOKEN_PREFIX + newSessionToken()
  return { token, tokenHash: hashToken(token) }
}
