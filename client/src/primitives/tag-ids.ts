/** Which tags a filter wants and which it does not, as ids in an address. */

export type TagState = 'included' | 'excluded' | 'off'

export interface TagFilter {
  included: readonly number[]
  excluded: readonly number[]
}

const ID = /^[1-9]\d{0,14}$/

/** The ids of a comma-separated list, each once; whatever is no id is counted and left out. */
export const parseTagIds = (text: string): { ids: number[]; junk: number } => {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const ids = parts.filter((part) => ID.test(part)).map(Number)
  return { ids: [...new Set(ids)], junk: parts.length - ids.length }
}

/** A tag has one state: putting it on one list takes it off the other. */
export const withTagState = ({ included, excluded }: TagFilter, id: number, state: TagState): TagFilter => {
  const put = (list: readonly number[], isIn: boolean) => {
    if (!isIn) return list.filter((other) => other !== id)
    return list.includes(id) ? list : [...list, id]
  }
  return { included: put(included, state === 'included'), excluded: put(excluded, state === 'excluded') }
}
