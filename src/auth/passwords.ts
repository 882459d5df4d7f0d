import { createGate } from '../domain/gate.ts'
import { normalisePassword } from '../domain/password.ts'
import { AppError } from '../errors.ts'

/** OWASP's floor for argon2id; about 35 ms of one core. The numbers are part of each hash, so raising them locks nobody out. */
const ARGON2 = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** Each hash takes 19 MiB and a core: more at once would only starve everything else. */
const HASHES_AT_ONCE = 2
const MAX_WAITING = 20
const RETRY_AFTER_SECONDS = 2

/** Of a random text that nobody kept: what the password of an unknown name is compared with, so that it takes the same time. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$7szgCilUR/PENEZs8ulQI/gC4KUNNP8/3EBMLylcyXc$AfoukW2acOZ9/Z66m736AVgMxtGLtHynGtZ+8qF2oOg'

export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * Whether the password fits the hash; without a hash false, after the same work. `beforeHashing` runs once it is this
   * check's turn, and stops it by throwing. Throws `rate_limited` while too many are waiting.
   */
  verify(hash: string | undefined, password: string, beforeHashing?: () => Promise<void>): Promise<boolean>
}

const tooMany = (): AppError =>
  new AppError('rate_limited', 'Too many people are signing in right now', { retryAfterSeconds: RETRY_AFTER_SECONDS })

/** Bun throws on a hash of no known form; a damaged row must not look different from a wrong password. */
const fits = async (password: string, hash: string): Promise<boolean> => {
  try {
    return await Bun.password.verify(password, hash)
  } catch {
    return false
  }
}

export const createPasswords = (): Passwords => {
  const inSlot = createGate(HASHES_AT_ONCE, { maxWaiting: MAX_WAITING, refusal: tooMany })
  return {
    hash: (password) => inSlot(() => Bun.password.hash(normalisePassword(password), ARGON2)),
    verify: (hash, password, beforeHashing) =>
      inSlot(async () => {
        await beforeHashing?.()
        const isRight = await fits(normalisePassword(password), hash ?? NOBODYS_HASH)
        return isRight && hash !== undefined
      }),
  }
}
