/**
 * Sets of item ids, which are small whole numbers in one sequence: few of them as a sorted list, many as a row of bits.
 * A million items cost 125 KB as bits, four bytes each as a list.
 */

const WORD = 32
/** Above one item in so many a row of bits is smaller than a list. */
const DENSITY = 32

export type Bits = Uint32Array
export type IdSet = { isDense: true; bits: Bits } | { isDense: false; ids: Uint32Array }

/** Whether an id is in. */
export const hasBit = (bits: Bits, id: number): boolean => (((bits[id >>> 5] ?? 0) >>> (id & 31)) & 1) === 1

const popcount = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

const bitsOf = (ids: Uint32Array): Bits => {
  const bits = new Uint32Array(((ids.at(-1) ?? 0) >>> 5) + 1)
  for (const id of ids) bits[id >>> 5] = (bits[id >>> 5] ?? 0) | (1 << (id & 31))
  return bits
}

/** A set of these ids, which must be in ascending order. */
export const idSet = (ids: Uint32Array): IdSet =>
  ids.length * DENSITY > (ids.at(-1) ?? 0) ? { isDense: true, bits: bitsOf(ids) } : { isDense: false, ids }

/** The ids as a row of bits that is not shared with the set. */
export const toBits = (set: IdSet): Bits => (set.isDense ? set.bits.slice() : bitsOf(set.ids))

/** The number of ids in both. */
export const countCommon = (bits: Bits, set: IdSet): number => {
  let count = 0
  if (set.isDense) {
    const words = Math.min(bits.length, set.bits.length)
    for (let word = 0; word < words; word += 1) count += popcount((bits[word] ?? 0) & (set.bits[word] ?? 0))
  } else for (let place = 0; place < set.ids.length; place += 1) if (hasBit(bits, set.ids[place] ?? 0)) count += 1
  return count
}

/** Leaves in `bits` only what is in the set as well. */
export const keepCommon = (bits: Bits, set: IdSet): void => {
  const other = set.isDense ? set.bits : bitsOf(set.ids)
  for (let word = 0; word < bits.length; word += 1) bits[word] = (bits[word] ?? 0) & (other[word] ?? 0)
}

/** Takes out of `bits` what is in the set. */
export const removeCommon = (bits: Bits, set: IdSet): void => {
  if (!set.isDense) return removeIds(bits, set.ids)
  const words = Math.min(bits.length, set.bits.length)
  for (let word = 0; word < words; word += 1) bits[word] = (bits[word] ?? 0) & ~(set.bits[word] ?? 0)
}

const removeIds = (bits: Bits, ids: Iterable<number>): void => {
  for (const id of ids) if (id >>> 5 < bits.length) bits[id >>> 5] = (bits[id >>> 5] ?? 0) & ~(1 << (id & 31))
}

export const countBits = (bits: Bits): number => {
  let count = 0
  for (let word = 0; word < bits.length; word += 1) count += popcount(bits[word] ?? 0)
  return count
}

/** Every id from 1 up to the last that is not in the set. */
export const without = (set: IdSet, last: number): Bits => {
  const bits = new Uint32Array((last >>> 5) + 1).fill(0xffffffff)
  bits[0] = 0xfffffffe
  bits[last >>> 5] = (bits[last >>> 5] ?? 0) & (0xffffffff >>> (31 - (last & 31)))
  removeCommon(bits, set)
  return bits
}

/** The ids in ascending order, up to so many. */
export const listBits = (bits: Bits, limit: number): number[] => {
  const ids: number[] = []
  for (let word = 0; word < bits.length; word += 1) {
    for (let left = bits[word] ?? 0; left !== 0; left &= left - 1) {
      if (ids.length === limit) return ids
      ids.push(word * WORD + 31 - Math.clz32(left & -left))
    }
  }
  return ids
}

/** The set with some ids more and others less; `changes` says of each id whether it belongs in. */
export const changed = (set: IdSet, changes: ReadonlyMap<number, boolean>): IdSet => {
  const most = Math.max(...changes.keys())
  if (set.isDense) {
    const bits = new Uint32Array(Math.max(set.bits.length, (most >>> 5) + 1))
    bits.set(set.bits)
    for (const [id, isIn] of changes)
      bits[id >>> 5] = isIn ? (bits[id >>> 5] ?? 0) | (1 << (id & 31)) : (bits[id >>> 5] ?? 0) & ~(1 << (id & 31))
    return { isDense: true, bits }
  }
  const kept = set.ids.filter((id) => !changes.has(id))
  const added = [...changes].filter(([, isIn]) => isIn).map(([id]) => id)
  return idSet(Uint32Array.from([...kept, ...added]).sort())
}
