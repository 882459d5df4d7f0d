import { Key } from '@solid-primitives/keyed'
import { useQueryClient } from '@tanstack/solid-query'
import { Plus, X } from 'lucide-solid'
import { createSignal, Show } from 'solid-js'
import { queryKeys } from '../../api/query-keys.ts'
import { listMappings, replaceMappings, type TagMapping } from '../../api/tag-mappings.ts'
import { Button } from '../../components/button.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { late } from '../../components/late.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Panel } from '../../components/panel.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { t } from '../../i18n/manage-tags.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createRowFocus, onePress } from '../../primitives/create-row-focus.ts'
import { formatCount } from '../../primitives/format.ts'
import { notifyError } from '../../primitives/notify.ts'

const TagMappingDialog = late(async () => (await import('./tag-mapping-dialog.tsx')).TagMappingDialog)

const SHOWN_AT_FIRST = 20

export const TagMappings = () => {
  const client = useQueryClient()
  const [isAdding, setAdding] = createSignal(false)
  const [isWhole, setWhole] = createSignal(false)
  const mappings = createQuery(() => ({ queryKey: queryKeys.tagMappings, queryFn: listMappings }))
  const shownOf = (all: readonly TagMapping[]) => (isWhole() ? all : all.slice(0, SHOWN_AT_FIRST))
  let list: HTMLUListElement | undefined
  const [removing, setRemoving] = createSignal<string>()
  const keepPlace = createRowFocus({
    rows: () => shownOf(mappings.data ?? []).map(({ source }) => ({ id: source })),
    isBusy: () => removing() !== undefined,
    list: () => list,
    heading: () => list?.closest('section')?.querySelector('h2'),
  })
  const remove = async (source: string) => {
    keepPlace({ id: source })
    setRemoving(source)
    try {
      // Somebody else may have added one meanwhile.
      const known = await listMappings()
      await replaceMappings(known.filter((mapping) => mapping.source !== source))
    } catch (error) {
      notifyError(error)
    }
    await client.invalidateQueries({ queryKey: queryKeys.tagMappings })
    setRemoving(undefined)
  }
  return (
    <Panel
      title={t('otherNames.title')}
      lead={t('otherNames.lead')}
      actions={
        <Button size="small" onClick={() => setAdding(true)}>
          <Plus size={16} aria-hidden="true" />
          {t('otherNames.add')}
        </Button>
      }
    >
      <QueryView query={mappings} skeleton={<Skeleton class="h-16 w-full" />}>
        {(all) => (
          <>
            <ul ref={list} aria-label={t('otherNames.title')} class="divide-y divide-line">
              <Key each={shownOf(all())} by="source" fallback={<li class="text-small text-muted">{t('otherNames.none')}</li>}>
                {(mapping) => (
                  <li class="flex min-h-11 items-center gap-3 text-small">
                    <span class="flex min-w-0 grow flex-wrap items-baseline gap-x-2">
                      <span class="min-w-0 font-semibold break-words">{mapping().source}</span>
                      <span class="text-caption text-muted">{t('otherNames.arrow')}</span>
                      <span class="min-w-0 break-words">
                        {mapping().categoryName} / {mapping().tagName}
                      </span>
                    </span>
                    <IconButton
                      size="small"
                      label={t('otherNames.remove', mapping().source)}
                      disabled={removing() !== undefined}
                      isBusy={removing() === mapping().source}
                      {...onePress(() => void remove(mapping().source))}
                    >
                      <X size={16} />
                    </IconButton>
                  </li>
                )}
              </Key>
            </ul>
            <Show when={!isWhole() && all().length > SHOWN_AT_FIRST}>
              <MoreButton list={() => list} size="small" variant="ghost" class="mt-2" onMore={() => setWhole(true)}>
                {t('otherNames.more', formatCount(all().length - SHOWN_AT_FIRST))}
              </MoreButton>
            </Show>
          </>
        )}
      </QueryView>
      <Show when={isAdding()}>
        <TagMappingDialog onClose={() => setAdding(false)} />
      </Show>
    </Panel>
  )
}
