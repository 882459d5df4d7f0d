/** The tags of one item, put on and taken off at once: what was clicked shows before the server has answered. */

import { useQueryClient } from '@tanstack/solid-query'
import { type Accessor, createSignal, onCleanup } from 'solid-js'
import { queryKeys } from '../api/query-keys.ts'
import { assignmentsQuery, assignTag, createTag, unassignTag } from '../api/tags.ts'
import type { BrowseEntry, Item, Tag } from '../api/types.ts'
import { t } from '../i18n/tagging.ts'
import { createQuery } from './create-query.ts'
import { createRefresh } from './create-refresh.ts'
import { notifyDone, notifyError } from './notify.ts'

export type TaggingState = 'on' | 'off' | 'some'

/** Whatever is tagged: one item, or several at once. */
export interface TagTarget {
  /** Of one that is not known yet: undefined. */
  assigned: () => readonly Tag[] | undefined
  stateOf: (tagId: number) => TaggingState
  toggle: (tag: Tag) => void
  /** Makes a tag and puts it on. Throws what the server says. */
  create: (name: string, categoryId: number) => Promise<Tag>
  /** What is shown elsewhere is asked for again. Until then nothing moves under the selector. */
  finish: () => void
}

/** As a tag that has just been made is spoken of: its category may have been chosen by Enter alone. */
export const withCategory = (tag: Tag): Tag => ({ ...tag, name: `${tag.categoryName}/${tag.name}` })

type TaggedItem = Pick<BrowseEntry, 'itemKey' | 'libraryId' | 'title'>

const withTag = (tags: readonly Tag[], tag: Tag, isOn: boolean): Tag[] => {
  const others = tags.filter(({ id }) => id !== tag.id)
  return isOn ? [...others, tag] : others
}

export const createItemTags = (item: Accessor<TaggedItem>, isAsked: Accessor<boolean>): TagTarget => {
  const client = useQueryClient()
  const refresh = createRefresh()
  const [pending, setPending] = createSignal<ReadonlyMap<number, boolean>>(new Map())
  let hasChanged = false
  let isGone = false
  /** One request after the other, so that the last click is what stays. */
  let queue: Promise<unknown> = Promise.resolve()

  const query = createQuery(() => ({
    ...assignmentsQuery(item().itemKey),
    enabled: isAsked(),
    staleTime: 0,
  }))
  const known = () => query.data
  const isOn = (tagId: number) => pending().get(tagId) ?? known()?.some(({ id }) => id === tagId) ?? false

  /** In what is cached of the item: its assignments, and its page. */
  const patch = async ({ itemKey, libraryId }: TaggedItem, tag: Tag, on: boolean) => {
    const own = { queryKey: queryKeys.assignments(itemKey) }
    const isUnderWay = client.isFetching(own) > 0
    // An answer under way is older than this change, and would undo it.
    await client.cancelQueries(own)
    client.setQueryData<readonly Tag[]>(own.queryKey, (tags) => tags && withTag(tags, tag, on))
    if (isUnderWay) void client.invalidateQueries(own)
    client.setQueryData<Item>(queryKeys.item(libraryId, itemKey), (cached) => {
      if (!cached) return cached
      const tags = withTag(cached.tags, tag, on)
      return { ...cached, tags, tagIds: tags.map(({ id }) => id) }
    })
  }

  const finish = () => {
    if (!hasChanged) return
    hasChanged = false
    const { libraryId } = item()
    void queue.then(() => Promise.all([refresh(libraryId), client.invalidateQueries({ queryKey: queryKeys.tags })]))
  }

  const tell = (target: TaggedItem, tag: Tag, on: boolean) =>
    notifyDone(t(on ? 'tags.added' : 'tags.removed', tag.name), {
      label: t('tags.undo'),
      run: () => {
        set(target, tag, !on, true)
        if (isGone || !isAsked()) finish()
      },
    })

  /** `isUndo` says that nobody has to be told how to take it back. */
  const set = (target: TaggedItem, tag: Tag, on: boolean, isUndo = false) => {
    hasChanged = true
    setPending(new Map(pending()).set(tag.id, on))
    queue = queue.then(async () => {
      try {
        await (on ? assignTag(target.itemKey, tag.id) : unassignTag(target.itemKey, tag.id))
        await patch(target, tag, on)
        if (!isUndo) tell(target, tag, on)
      } catch (error) {
        notifyError(error)
        // Somebody may have merged or deleted it, or moved the item.
        void client.invalidateQueries({ queryKey: queryKeys.tags })
      }
      if (pending().get(tag.id) === on) {
        const left = new Map(pending())
        left.delete(tag.id)
        setPending(left)
      }
    })
  }

  onCleanup(() => {
    isGone = true
    finish()
  })
  return {
    // Where nobody can say, tags can still be put on.
    assigned: () => known() ?? (query.isError ? [] : undefined),
    stateOf: (tagId) => (isOn(tagId) ? 'on' : 'off'),
    toggle: (tag) => set(item(), tag, !isOn(tag.id)),
    create: (name, categoryId) => {
      const target = item()
      hasChanged = true
      const made = queue.then(async () => {
        const tag = await createTag({ name, categoryId, itemKey: target.itemKey })
        await patch(target, tag, true)
        tell(target, withCategory(tag), true)
        return tag
      })
      queue = made.catch(() => undefined)
      return made
    },
    finish,
  }
}
