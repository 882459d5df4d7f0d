import { useQueryClient } from '@tanstack/solid-query'
import { Check, X } from 'lucide-solid'
import { createSignal, For, Show } from 'solid-js'
import { queryKeys } from '../api/query-keys.ts'
import { assignmentsQuery, assignTag, unassignTag } from '../api/tags.ts'
import type { ShownTag } from '../api/types.ts'
import { t } from '../i18n/ai-fields.ts'
import { createQuery } from '../primitives/create-query.ts'
import { createRefresh } from '../primitives/create-refresh.ts'
import { createRowFocus, onePress } from '../primitives/create-row-focus.ts'
import { notifyError } from '../primitives/notify.ts'
import { onChange } from '../primitives/on-change.ts'
import { createCan } from '../primitives/session.ts'
import type { AiItem } from './ai-fields.tsx'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import { TagDot } from './tag-chip.tsx'

/**
 * The tags that a model chose, to be judged: what is kept is as if one had put it there oneself, and stays when the model is asked
 * again; what is taken off does not come back.
 */
export const AiTags = (props: { item: AiItem }) => {
  const can = createCan()
  const client = useQueryClient()
  const refresh = createRefresh()
  const [judged, setJudged] = createSignal<readonly ShownTag[]>([])
  const query = createQuery(() => ({
    ...assignmentsQuery(props.item.itemKey),
    // The page of an item knows already.
    enabled: can('tag') && props.item.tags === undefined && props.item.tagIds.length > 0,
    staleTime: 0,
  }))
  const known = () => (can('tag') ? (props.item.tags ?? query.data) : undefined)
  const tags = () => (known() ?? []).filter(({ source }) => source === 'ai')
  /**
   * Until one sees that they are judged. The library is asked for anew as well, which nobody has to wait for: a dialog takes a
   * focus that is lost for longer than a frame.
   */
  const isBusy = () => tags().some(({ id }) => judged().some((tag) => tag.id === id))
  let list: HTMLUListElement | undefined
  const keepPlace = createRowFocus({
    rows: tags,
    isBusy,
    list: () => list,
    // The list goes with its last row; over the viewer it is in a dialog.
    heading: () => document.querySelector<HTMLElement>('[role=dialog]') ?? document.querySelector('h1'),
  })
  // The next picture may have a tag of the same name.
  onChange(
    () => props.item.itemKey,
    () => setJudged([]),
  )
  const judge = async (chosen: readonly ShownTag[], isKept: boolean) => {
    const { itemKey, libraryId } = props.item
    for (const tag of chosen.slice(0, 1)) keepPlace(tag)
    setJudged(chosen)
    try {
      for (const { id } of chosen) await (isKept ? assignTag(itemKey, id) : unassignTag(itemKey, id))
    } catch (error) {
      notifyError(error)
    }
    await Promise.all([client.invalidateQueries({ queryKey: queryKeys.assignments(itemKey) }), refresh(libraryId)])
    // Another may have been judged meanwhile.
    if (judged() === chosen) setJudged([])
  }
  return (
    <Show when={tags().length > 0}>
      <div>
        <h3 class="mb-1 text-small font-semibold">{t('aiFields.tags')}</h3>
        <p class="mb-2 max-w-[70ch] text-small text-muted">{t('aiFields.tagsHint')}</p>
        <ul ref={list} class="flex flex-wrap items-center gap-2" aria-label={t('aiFields.tags')}>
          <For each={tags()}>
            {(tag) => (
              <li class="inline-flex max-w-full items-center rounded-chip border border-line bg-surface pl-2 text-small">
                <TagDot category={{ id: tag.categoryId, color: tag.color }} />
                <span class="mx-2 min-w-0 truncate" title={tag.categoryName}>
                  {tag.name}
                </span>
                <IconButton
                  size="small"
                  label={t('aiFields.keepTag', tag.name)}
                  disabled={isBusy()}
                  {...onePress(() => void judge([tag], true))}
                >
                  <Check size={16} class="text-success" />
                </IconButton>
                <IconButton
                  size="small"
                  label={t('aiFields.dropTag', tag.name)}
                  disabled={isBusy()}
                  {...onePress(() => void judge([tag], false))}
                >
                  <X size={16} />
                </IconButton>
              </li>
            )}
          </For>
          <Show when={tags().length > 1}>
            <li>
              <Button size="small" isBusy={isBusy()} onClick={() => void judge(tags(), true)}>
                {t('aiFields.keepTags')}
              </Button>
            </li>
          </Show>
        </ul>
      </div>
    </Show>
  )
}
