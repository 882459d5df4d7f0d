/** The tags of several entries at once, for the selector: a tag is on where all of them carry it. */

import { useQueryClient } from '@tanstack/solid-query'
import { type Accessor, createMemo, createSignal } from 'solid-js'
import { queryKeys } from '../api/query-keys.ts'
import { changeTags, createTag } from '../api/tags.ts'
import type { BrowseEntry, Tag } from '../api/types.ts'
import { t } from '../i18n/tagging.ts'
import { createFacets } from './create-facets.ts'
import { type TaggingState, type TagTarget, withCategory } from './create-item-tags.ts'
import { createRefresh } from './create-refresh.ts'
import { notifyDone, notifyError } from './notify.ts'

interface BulkTagsOptions {
  libraryId: Accessor<number>
  isAsked: Accessor<boolean>
}

export const createBulkTags = (entries: Accessor<readonly BrowseEntry[]>, { libraryId, isAsked }: BulkTagsOptions): TagTarget => {
  const client = useQueryClient()
  const refresh = createRefresh()
  /** By tag, the keys that were tagged or untagged here since the entries were last asked for. */
  const [changes, setChanges] = createSignal<ReadonlyMap<number, ReadonlyMap<string, boolean>>>(new Map())
  /** The entries say no more than the ids of what they carry. */
  const facets = createFacets(() => ({ libraryId: libraryId() }), isAsked)
  /** What nothing in the library carried when it was asked for its tags. */
  const chosen = new Map<number, Tag>()
  /** Of what was tagged here: Undo is pressed when a filter may have taken all entries away. */
  const libraryIds = new Set<number>()
  let queue: Promise<unknown> = Promise.resolve()

  const carries = (entry: BrowseEntry, tagId: number) => changes().get(tagId)?.get(entry.itemKey) ?? entry.tagIds.includes(tagId)
  const without = (tagId: number, isOn: boolean) => entries().filter((entry) => carries(entry, tagId) !== isOn)
  /** By tag, how many of the entries carry it. */
  const carriers = createMemo(() => {
    const counts = new Map<number, number>()
    for (const { tagIds } of entries()) for (const id of tagIds) counts.set(id, (counts.get(id) ?? 0) + 1)
    for (const id of changes().keys()) counts.set(id, without(id, false).length)
    return counts
  })
  const stateOf = (tagId: number): TaggingState => {
    const count = carriers().get(tagId) ?? 0
    if (count === 0) return 'off'
    return count === entries().length ? 'on' : 'some'
  }
  const find = (tagId: number): Tag | undefined => {
    const { name, category } = facets.find(tagId) ?? {}
    if (name === undefined || !category) return chosen.get(tagId)
    return { id: tagId, name, categoryId: category.id, categoryName: category.name, color: category.color }
  }
  const finish = async () => {
    let sent: Promise<unknown>
    // A tag that is made is put on after that.
    do {
      sent = queue
      await sent
    } while (queue !== sent)
    await Promise.all([...[...libraryIds].map((id) => refresh(id)), client.invalidateQueries({ queryKey: queryKeys.tags })])
    // What was pressed meanwhile is in none of these answers.
    if (queue === sent) setChanges(new Map<number, ReadonlyMap<string, boolean>>())
  }
  const note = (tagId: number, keys: readonly string[], isOn: boolean) => {
    const ofTag = new Map(changes().get(tagId))
    for (const key of keys) ofTag.set(key, isOn)
    setChanges(new Map(changes()).set(tagId, ofTag))
  }
  const noteLibraries = () => {
    for (const { libraryId } of entries()) libraryIds.add(libraryId)
  }
  /** Exactly these keys: taking back must not touch those that carried the tag before. */
  const set = (tag: Tag, keys: readonly string[], isOn: boolean, isUndo = false) => {
    noteLibraries()
    note(tag.id, keys, isOn)
    queue = queue.then(async () => {
      const done: string[] = []
      try {
        for await (const some of changeTags({ itemKeys: keys, ...(isOn ? { add: [tag.id] } : { remove: [tag.id] }) })) done.push(...some)
      } catch (error) {
        note(tag.id, keys.slice(done.length), !isOn)
        notifyError(error)
        // An entry may have gone, or the tag: what is left can be tagged.
        void finish()
      }
      if (isUndo || done.length === 0) return
      notifyDone(t(isOn ? 'tags.addedTo' : 'tags.removedFrom', tag.name, t('tags.items', done.length)), {
        label: t('tags.undo'),
        run: () => {
          set(tag, done, !isOn, true)
          void finish()
        },
      })
    })
  }
  return {
    assigned: () => {
      const ids = [...carriers().keys()].filter((id) => stateOf(id) !== 'off')
      const tags = ids.flatMap((id) => find(id) ?? [])
      return tags.length === ids.length || facets.isCurrent() || facets.query.isError ? tags : undefined
    },
    stateOf,
    toggle: (tag) => {
      const isOn = stateOf(tag.id) !== 'on'
      chosen.set(tag.id, tag)
      set(
        tag,
        without(tag.id, isOn).map(({ itemKey }) => itemKey),
        isOn,
      )
    },
    create: (name, categoryId) => {
      // By the time that it is made the selection may have ended.
      const keys = entries().map(({ itemKey }) => itemKey)
      noteLibraries()
      const made = queue.then(() => createTag({ name, categoryId }))
      queue = made.then(
        (tag) => {
          chosen.set(tag.id, tag)
          set(withCategory(tag), keys, true)
        },
        () => undefined,
      )
      return made
    },
    finish: () => void finish(),
  }
}
