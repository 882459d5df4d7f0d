import { formatCount } from '../primitives/format.ts'
import { language } from './language.ts'

const rules = new Map<string, Intl.PluralRules>()

const ruleOf = (tag: string): Intl.PluralRules => {
  const rule = rules.get(tag) ?? new Intl.PluralRules(tag)
  rules.set(tag, rule)
  return rule
}

/** A number with the word that fits it. */
export const counted = (one: string, other: string) => (count: number) =>
  `${formatCount(count)} ${ruleOf(language()).select(count) === 'one' ? one : other}`
