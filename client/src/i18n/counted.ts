import { formatCount } from '../primitives/format.ts'

/** A number with the word that fits it. English and German have one for 1 and one for all else (CLDR, Language Plural Rules). */
export const counted = (one: string, other: string) => (count: number) => `${formatCount(count)} ${count === 1 ? one : other}`
