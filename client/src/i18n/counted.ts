import { formatCount } from '../primitives/format.ts'

/** A number with the word that fits it. */
export const counted = (one: string, many: string) => (count: number) => `${formatCount(count)} ${count === 1 ? one : many}`
