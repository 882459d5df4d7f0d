/**
 * How often somebody may try to sign in. Failures are counted for the address and for the account: ten at once, then
 * one a minute (Vaultwarden's figures), and five a second for the whole house. Nothing is ever locked for good, and an
 * account under attack from elsewhere stays open to its owner: an address that signed in to it before is exempt from
 * the account's count, and one without a record of failures gets its turn in a slow lane.
 */

import { setNewest } from '../domain/bounded-map.ts'
import { versionOf } from '../http/address-range.ts'
import { createFailureCount, type FailureCount } from './failure-count.ts'
import { currentRecord, RateLimiterMemory, refuse, take, takeOrRefuse } from './rate-limiter.ts'

interface Attempt {
  /** What the account is called, or a key of its own for something else that is guessed. */
  account: string
  address: string
}

interface AdmittedAttempt {
  /** Counts the attempt as a failure until `succeed` takes it back. Throws `rate_limited` where others were faster. */
  count(): Promise<void>
  /** Takes back the failures of this address at this account, and no others. */
  succeed(): Promise<void>
}

export interface Throttle {
  /** Throws `rate_limited` while this attempt may not be made; counts nothing. */
  admit(attempt: Attempt): Promise<AdmittedAttempt>
  /** Three tries in five minutes from addresses that the first administrator cannot be made from. */
  countForeignSetup(address: string): Promise<void>
}

const MAX_FAILURES_A_SECOND = 5
const LANE_SECONDS = 1
/** How long a request may have waited for its turn before it is told to come back. */
const MAX_WAITED_MS = 2000
/** From how many failures on an address has a record. */
const CLEAN_FAILURES = 3
const MEMORY_OF_FAILURES_SECONDS = 3600
const KNOWN_SECONDS = 30 * 24 * 3600
const MAX_KNOWN = 10_000
const SETUP_TRIES = 3
const SETUP_SECONDS = 300

/** A household gets 2^64 IPv6 addresses, so a network of that size counts as one. */
const networkOf = (address: string): string => {
  if (versionOf(address) !== 6) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length)
  const full = [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail ? tail.split(':') : [])]
  return `${full
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

/** Repeats `missingMs` until nothing is missing. By time, not by tries: a timer that rings a millisecond early is no turn lost. */
const waitTurn = async (missingMs: () => Promise<number>): Promise<void> => {
  const start = performance.now()
  for (;;) {
    const milliseconds = await missingMs()
    if (milliseconds === 0) return
    if (performance.now() - start >= MAX_WAITED_MS) refuse(milliseconds)
    await Bun.sleep(milliseconds)
  }
}

const refuseWhileFull = async (failures: FailureCount, key: string): Promise<void> => {
  const milliseconds = await failures.fullForMs(key)
  if (milliseconds > 0) refuse(milliseconds)
}

export const createThrottle = (): Throttle => {
  const ofAddress = createFailureCount()
  const ofAccount = createFailureCount()
  const ofPair = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: MEMORY_OF_FAILURES_SECONDS })
  const ofEverybody = new RateLimiterMemory({ points: MAX_FAILURES_A_SECOND, duration: 1 })
  const slowLane = new RateLimiterMemory({ points: 1, duration: LANE_SECONDS })
  const foreignSetups = new RateLimiterMemory({ points: SETUP_TRIES, duration: SETUP_SECONDS })
  /** Pairs that signed in, oldest first, and until when that counts. */
  const known = new Map<string, number>()

  const houseFullForMs = async (): Promise<number> => {
    const record = await currentRecord(ofEverybody, '')
    return record !== null && record.consumedPoints >= MAX_FAILURES_A_SECOND ? record.msBeforeNext : 0
  }

  const admit = async ({ account, address: exactAddress }: Attempt): Promise<AdmittedAttempt> => {
    const address = networkOf(exactAddress)
    const pair = `${address} ${account}`
    const isKnown = (known.get(pair) ?? 0) > performance.now()
    await refuseWhileFull(ofAddress, address)
    const isAccountFull = (await ofAccount.fullForMs(account)) > 0
    const takesLane = isAccountFull && !isKnown
    if (takesLane && (await ofAddress.failures(address)) >= CLEAN_FAILURES) await refuseWhileFull(ofAccount, account)
    if (takesLane) await waitTurn(() => take(slowLane, account))
    if (!isKnown) await waitTurn(houseFullForMs)

    const count = async (): Promise<void> => {
      await refuseWhileFull(ofAddress, address)
      if (!isKnown && !takesLane) await refuseWhileFull(ofAccount, account)
      await Promise.all([ofAddress.add(address), ofAccount.add(account), ofPair.penalty(pair), ofEverybody.penalty('')])
    }
    const succeed = async (): Promise<void> => {
      const failures = (await currentRecord(ofPair, pair))?.consumedPoints ?? 0
      await Promise.all([ofPair.delete(pair), ofAddress.takeBack(address, failures), ofAccount.takeBack(account, failures)])
      if ((await currentRecord(ofEverybody, '')) !== null) await ofEverybody.reward('')
      setNewest(known, pair, performance.now() + KNOWN_SECONDS * 1000, MAX_KNOWN)
    }
    return { count, succeed }
  }

  const countForeignSetup = (address: string): Promise<void> => takeOrRefuse(foreignSetups, networkOf(address))

  return { admit, countForeignSetup }
}
