import { useQueryClient } from '@tanstack/solid-query'
import { TriangleAlert } from 'lucide-solid'
import { For, Show } from 'solid-js'
import { queryKeys } from '../../api/query-keys.ts'
import { applyHeldScan, cancelScan, listScanLosses } from '../../api/scans.ts'
import type { Scan } from '../../api/types.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { t } from '../../i18n/manage.ts'
import { createPagedQuery } from '../../primitives/create-query.ts'
import { takeLostFocus } from '../../primitives/create-row-focus.ts'
import { createSubmit } from '../../primitives/form-problem.ts'
import { notify } from '../../primitives/notify.ts'

/** What a held scan would mark missing, and the buttons that let it or drop it. */
export const HeldScan = (props: { scan: Scan }) => {
  const client = useQueryClient()
  const losses = createPagedQuery(() => ({
    queryKey: queryKeys.scanLosses(props.scan.id),
    queryFn: ({ pageParam }) => listScanLosses(props.scan.id, pageParam),
  }))
  let list: HTMLUListElement | undefined
  const entries = () => losses.data?.pages.flatMap((page) => page.entries) ?? []
  const decide = async (change: (id: number) => Promise<unknown>, told: string) => {
    const { id, libraryId } = props.scan
    try {
      await change(id)
      notify(told)
    } finally {
      // Refused too: a newer scan may have found something else.
      const changed = [queryKeys.libraries, queryKeys.scans(libraryId), queryKeys.libraryContent(libraryId)]
      await Promise.all(changed.map((queryKey) => client.invalidateQueries({ queryKey })))
      takeLostFocus(document.querySelector('h1'))
    }
  }
  const apply = createSubmit(() => decide(applyHeldScan, t('scans.applied')))
  const discard = createSubmit(() => decide(cancelScan, t('scans.discarded')))
  return (
    <section class="mt-6 flex flex-col gap-4 rounded-card border border-warning bg-warning-soft p-4">
      <header class="flex gap-3">
        <TriangleAlert size={22} class="shrink-0 text-warning" aria-hidden="true" />
        <div>
          <h2 class="text-body font-semibold">{t('scans.heldHeading')}</h2>
          <p class="max-w-[70ch] text-small">{t('scans.heldLead')}</p>
        </div>
      </header>
      <QueryView query={losses} skeleton={<Skeleton class="h-20 w-full" />}>
        {() => (
          <ul ref={list} class="max-h-72 divide-y divide-line overflow-y-auto rounded-card bg-surface" aria-label={t('scans.losses')}>
            <For each={entries()}>
              {(entry) => (
                <li class="flex items-baseline justify-between gap-4 px-4 py-2 text-small">
                  <span class="min-w-0 truncate" title={entry.itemKey}>
                    {entry.title}
                  </span>
                  <Show when={entry.tagCount > 0}>
                    <span class="shrink-0 text-caption text-muted tabular-nums">{t('scans.tags', entry.tagCount)}</span>
                  </Show>
                </li>
              )}
            </For>
            <Show when={losses.hasNextPage}>
              <li class="p-2 text-center">
                <MoreButton
                  list={() => list}
                  size="small"
                  variant="ghost"
                  isBusy={losses.isFetchingNextPage}
                  onMore={() => void losses.fetchNextPage()}
                >
                  {t('action.loadMore')}
                </MoreButton>
              </li>
            </Show>
          </ul>
        )}
      </QueryView>
      <FormError text={apply.problem.general() || discard.problem.general()} />
      <div class="flex flex-wrap justify-end gap-3">
        <Button isBusy={discard.isBusy()} disabled={apply.isBusy()} onClick={() => discard.submit()}>
          {t('scans.discard')}
        </Button>
        <Button isBusy={apply.isBusy()} disabled={!losses.data || discard.isBusy()} onClick={() => apply.submit()}>
          {t('scans.apply')}
        </Button>
      </div>
    </section>
  )
}
