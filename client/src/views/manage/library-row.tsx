import { A } from '@solidjs/router'
import { CircleStop, RefreshCw, Settings2 } from 'lucide-solid'
import { Show } from 'solid-js'
import { cancelScan } from '../../api/scans.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { ScanLine } from '../../components/scan-line.tsx'
import { LibraryIcon } from '../../components/type-icon.tsx'
import { t } from '../../i18n/manage.ts'
import { formatAgo, formatCount } from '../../primitives/format.ts'
import { createLibrary, isScanActive } from '../../primitives/libraries.ts'
import { notifyError } from '../../primitives/notify.ts'
import { scheduleName } from '../../primitives/scan-schedule.ts'
import { createScanStart } from '../../primitives/scan-start.ts'
import { NfoUnread } from './nfo-unread.tsx'
import { ScanWarnings } from './scan-warnings.tsx'

const CELL = 'md:table-cell md:px-3 md:py-4 md:align-middle'

/** A row of the table; a card on phones. */
export const LibraryRow = (props: { libraryId: number }) => {
  const { library, query } = createLibrary(() => props.libraryId)
  const scan = createScanStart()
  const running = () => {
    const last = library()?.lastScan ?? null
    return isScanActive(last) ? last : null
  }
  const cancel = async (scanId: number) => {
    try {
      await cancelScan(scanId)
    } catch (error) {
      notifyError(error)
    }
    await query.refetch()
  }
  const press = (libraryId: number) => {
    const last = running()
    void (last ? cancel(last.id) : scan(libraryId))
  }
  return (
    <Show when={library()}>
      {(known) => (
        <tr class="flex flex-col gap-3 rounded-card border border-line bg-surface p-4 md:table-row md:rounded-none md:border-x-0 md:border-t-0 md:bg-transparent">
          <td class={CELL}>
            <A href={`/manage/libraries/${known().id}`} class="group flex min-h-target-large items-center gap-3 rounded-chip">
              <span class="flex size-10 shrink-0 items-center justify-center rounded-card bg-raised text-muted">
                <LibraryIcon type={known().type} />
              </span>
              <span class="flex min-w-0 flex-col">
                <span class="truncate font-semibold transition-colors group-hover:text-accent md:max-w-40 lg:max-w-80" title={known().name}>
                  {known().name}
                </span>
                <span class="truncate font-mono text-caption text-muted md:max-w-40 lg:max-w-80" title={known().path}>
                  {known().path}
                </span>
              </span>
            </A>
          </td>
          <td class={`${CELL} tabular-nums md:text-right`}>
            <span class="md:hidden">{t('library.items', known().itemCount)}</span>
            <span class="max-md:hidden">{formatCount(known().itemCount)}</span>
          </td>
          <td class={`${CELL} min-w-0 lg:w-80`}>
            <Show when={known().lastScan} fallback={<span class="text-muted">{t('manageLibraries.never')}</span>}>
              {(last) => (
                <>
                  <ScanLine scan={last()} />
                  <ScanWarnings scan={last()} />
                  <NfoUnread library={known()} />
                  <Show when={known().heldScanId}>
                    <A
                      href={`/manage/libraries/${known().id}`}
                      class="mt-1 inline-flex min-h-finger items-center rounded-chip text-caption text-warning underline"
                    >
                      {t('scans.heldHeading')}
                    </A>
                  </Show>
                  <Show when={last().finishedAt}>
                    {(finishedAt) => <p class="mt-1 text-caption text-muted">{formatAgo(finishedAt())}</p>}
                  </Show>
                </>
              )}
            </Show>
            <Show when={!known().available}>
              <p class="mt-1 text-caption text-danger">{t('manageLibraries.unavailable')}</p>
            </Show>
          </td>
          <td class={`${CELL} text-muted max-lg:hidden`}>
            <Show when={scheduleName(known().scanSchedule)} fallback={<code class="font-mono text-caption">{known().scanSchedule}</code>}>
              {(name) => t(`manageLibraries.schedules.${name()}`)}
            </Show>
          </td>
          <td class={CELL}>
            <div class="flex flex-wrap items-center gap-2 md:flex-nowrap md:whitespace-nowrap md:justify-end">
              {/* One button: what takes the place of another loses the focus. */}
              <Button
                size="small"
                aria-label={running() ? undefined : t('scan.start', known().name)}
                // The second half of a double click, and a key that is held down, would cancel what they have begun.
                onKeyDown={(event) => event.repeat && event.preventDefault()}
                onClick={(event) => event.detail < 2 && press(known().id)}
              >
                <Show
                  when={running()}
                  fallback={
                    <>
                      <RefreshCw size={16} aria-hidden="true" />
                      <span class="md:max-lg:sr-only">{t('manageLibraries.scan')}</span>
                    </>
                  }
                >
                  <CircleStop size={16} aria-hidden="true" />
                  {t('action.cancel')}
                </Show>
              </Button>
              <LinkButton
                size="small"
                variant="ghost"
                href={`/manage/libraries/${known().id}`}
                aria-label={`${t('manageLibraries.manage')}: ${known().name}`}
              >
                <Settings2 size={16} aria-hidden="true" />
                <span class="md:max-lg:sr-only">{t('manageLibraries.manage')}</span>
              </LinkButton>
            </div>
          </td>
        </tr>
      )}
    </Show>
  )
}
