import { FolderSearch, RefreshCw } from 'lucide-solid'
import { Match, Show, Switch } from 'solid-js'
import type { Library } from '../../api/types.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { LibraryAway } from '../../components/library-away.tsx'
import { NoMatch } from '../../components/no-match.tsx'
import { ScanLine } from '../../components/scan-line.tsx'
import { t } from '../../i18n/empty-library.ts'
import { t as homeText } from '../../i18n/home.ts'
import type { Filters } from '../../primitives/create-filters.ts'
import { isScanActive } from '../../primitives/libraries.ts'
import { createScanStart } from '../../primitives/scan-start.ts'
import { createIsAdmin } from '../../primitives/session.ts'

/** Why a grid is empty: nothing matches, never scanned, being scanned, or nothing there. */
const LibraryEmpty = (props: { library: Library; filters: Filters }) => {
  const isAdmin = createIsAdmin()
  const scan = createScanStart()
  const ScanNow = () => (
    <Show when={isAdmin()}>
      <Button variant="primary" onClick={() => void scan(props.library.id)}>
        <RefreshCw size={18} aria-hidden="true" />
        {t('emptyLibrary.scanNow')}
      </Button>
    </Show>
  )
  const found = () =>
    props.library.path === undefined ? homeText('home.foundNothing') : t('emptyLibrary.foundNothing', props.library.path)
  return (
    <Switch
      fallback={
        <EmptyState
          icon={<FolderSearch size={28} />}
          heading={t('emptyLibrary.heading')}
          text={props.library.available ? `${found()} ${t(`emptyLibrary.expected.${props.library.type}`)}` : t('emptyLibrary.unavailable')}
        >
          <ScanNow />
        </EmptyState>
      }
    >
      <Match when={props.filters.count() > 0}>
        <NoMatch filters={props.filters} />
      </Match>
      <Match when={isScanActive(props.library.lastScan) && props.library.lastScan}>
        {(running) => (
          <EmptyState icon={<RefreshCw size={28} class="animate-spin" />} heading={t('emptyLibrary.scanning', props.library.name)}>
            <div class="w-80 max-w-full">
              <ScanLine scan={running()} />
            </div>
          </EmptyState>
        )}
      </Match>
      <Match when={props.library.lastScan === null}>
        <EmptyState icon={<FolderSearch size={28} />} heading={t('emptyLibrary.neverScanned')} text={homeText('home.neverScanned')}>
          <ScanNow />
        </EmptyState>
      </Match>
    </Switch>
  )
}

/** What there is to say above a grid, or in its place. */
export const LibraryState = (props: { library: Library; filters: Filters; isEmpty: boolean }) => (
  <Show when={props.isEmpty} fallback={<LibraryAway libraryId={props.library.id} class="mb-4" />}>
    <LibraryEmpty library={props.library} filters={props.filters} />
  </Show>
)
