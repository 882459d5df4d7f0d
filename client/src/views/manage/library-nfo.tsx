import { ChevronDown, RefreshCw } from 'lucide-solid'
import { For, Show } from 'solid-js'
import type { LibraryRefresh } from '../../api/nfo-refresh.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Panel } from '../../components/panel.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { t } from '../../i18n/manage.ts'
import { createLibraryNfoRefresh } from '../../primitives/create-library-nfo-refresh.ts'
import { formatCount } from '../../primitives/format.ts'

const doneOf = ({ refreshed, without, failed }: LibraryRefresh): number => refreshed + without + failed

const Running = (props: { state: LibraryRefresh }) => {
  const total = () => doneOf(props.state) + props.state.queued
  const text = () => t('nfoLibrary.running', formatCount(doneOf(props.state)), formatCount(total()))
  return (
    <div class="flex items-center gap-4">
      <ProgressBar label={t('nfoLibrary.title')} value={doneOf(props.state) / total()} text={text()} class="grow" />
      <span class="shrink-0 text-caption text-muted tabular-nums">{text()}</span>
    </div>
  )
}

const Outcome = (props: { state: LibraryRefresh }) => {
  const parts = () =>
    (['refreshed', 'without', 'failed'] as const)
      .filter((name) => props.state[name] > 0 || name === 'refreshed')
      .map((name) => t(`nfoLibrary.${name}`, props.state[name]))
  return (
    <>
      <p class="text-small tabular-nums">{parts().join(', ')}</p>
      <Show when={props.state.failed > 0}>
        <details class="group mt-2" open={props.state.failed < 4}>
          <summary class="inline-flex list-none items-center gap-1 rounded-chip min-h-finger text-caption text-danger">
            <ChevronDown size={14} class="transition-transform group-open:rotate-180" aria-hidden="true" />
            {t('nfoLibrary.failed', props.state.failed)}
          </summary>
          <ul class="mt-2 max-h-80 overflow-y-auto rounded-card bg-bg p-3" data-own-name>
            <For each={props.state.failures}>
              {({ itemKey, title, code, detail }) => (
                <li class="flex flex-col gap-x-3 py-1 text-caption sm:flex-row" title={itemKey}>
                  <span class="shrink-0 font-semibold break-words sm:max-w-1/2">{title}</span>
                  <span class="text-muted">{t('problem.told', code, detail)}</span>
                </li>
              )}
            </For>
            <Show when={props.state.failed > props.state.failures.length}>
              <li class="py-1 text-caption text-muted">{t('scans.moreWarnings', props.state.failed - props.state.failures.length)}</li>
            </Show>
          </ul>
        </details>
      </Show>
    </>
  )
}

/** The refresh of a whole library from its NFO files: the button, how far it is, and what has come of it. */
export const LibraryNfo = (props: { libraryId: number }) => {
  const nfo = createLibraryNfoRefresh(() => props.libraryId)
  return (
    <Panel
      title={t('nfoLibrary.title')}
      lead={t('nfoLibrary.lead')}
      actions={
        <Button isBusy={nfo.isRunning() || nfo.start.isBusy()} onClick={() => nfo.start.submit()}>
          <Show when={!nfo.isRunning() && !nfo.start.isBusy()}>
            <RefreshCw size={18} aria-hidden="true" />
          </Show>
          {t('nfoLibrary.start')}
        </Button>
      }
    >
      <div aria-live="polite" class="empty:hidden">
        <Show when={nfo.state()}>
          {(state) => (
            <Show when={nfo.isRunning()} fallback={<Show when={nfo.hasOutcome()}>{<Outcome state={state()} />}</Show>}>
              <Running state={state()} />
            </Show>
          )}
        </Show>
        <Show when={nfo.state()?.unread}>{(count) => <p class="text-small">{t('nfoLibrary.unread', count())}.</p>}</Show>
      </div>
      <FormError text={nfo.start.problem.general()} />
    </Panel>
  )
}
