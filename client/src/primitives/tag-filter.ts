/** The tags of a filter, in the address: `tags=12,45` are all wanted, `not=7` is not. */

import { type Accessor, createMemo } from 'solid-js'
import { createUrlState } from './create-url-state.ts'
import { filesIn, kindsOf } from './file-choice.ts'
import { parseTagIds, type TagFilter, type TagState, withTagState } from './tag-ids.ts'

const parameters = ({ included, excluded }: TagFilter) => ({ tags: included.join(',') || null, not: excluded.join(',') || null })

const isSame = (one: TagFilter, other: TagFilter) =>
  one.included.join() === other.included.join() && one.excluded.join() === other.excluded.join()

/** What an address filters by; a tag that is on both lists is wanted. */
const tagFilterIn = (get: (name: string) => string): TagFilter => {
  const included = parseTagIds(get('tags')).ids
  return { included, excluded: parseTagIds(get('not')).ids.filter((id) => !included.includes(id)) }
}

/**
 * What an address asks of a level besides: a piece of the title, `unfinished=1` for what the person has not completed,
 * `untagged=1` for what carries no tag, and some of the files.
 */
export const filterIn = (get: (name: string) => string, { included, excluded } = tagFilterIn(get)) => ({
  q: get('q').trim(),
  tags: included,
  excludeTags: excluded,
  unfinished: get('unfinished') !== '',
  untagged: get('untagged') !== '',
  kinds: kindsOf(filesIn(get)),
})

/** Whether that leaves anything out. */
export const isNarrow = ({ q, tags, excludeTags, unfinished, untagged, kinds }: ReturnType<typeof filterIn>): boolean =>
  q !== '' || tags.length + excludeTags.length + kinds.length > 0 || unfinished || untagged

export const createTagFilter = (): {
  filter: Accessor<TagFilter>
  stateOf: (id: number) => TagState
  set: (id: number, state: TagState) => void
  /** Takes out what is no id and what `isKnown` does not know, without a step in the history; answers how many were dropped. */
  dropUnknown: (isKnown: (id: number) => boolean) => number
} => {
  const { get, change } = createUrlState()
  const filter = createMemo(() => tagFilterIn(get), undefined, { equals: isSame })
  return {
    filter,
    stateOf: (id) => {
      if (filter().included.includes(id)) return 'included'
      return filter().excluded.includes(id) ? 'excluded' : 'off'
    },
    set: (id, state) => change(parameters(withTagState(filter(), id, state))),
    dropUnknown: (isKnown) => {
      const kept = { included: filter().included.filter(isKnown), excluded: filter().excluded.filter(isKnown) }
      const unknown = filter().included.length + filter().excluded.length - kept.included.length - kept.excluded.length
      const dropped = unknown + parseTagIds(get('tags')).junk + parseTagIds(get('not')).junk
      if (dropped > 0) change(parameters(kept), { replace: true })
      return dropped
    },
  }
}
