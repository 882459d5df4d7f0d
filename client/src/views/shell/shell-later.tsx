import { useIsRouting, useLocation, useNavigate } from '@solidjs/router'
import { useQueryClient } from '@tanstack/solid-query'
import { createSignal, onCleanup, Show } from 'solid-js'
import { keepAnswersAlone } from '../../api/kept-answers.ts'
import { forgetLostLibraries } from '../../api/lost-libraries.ts'
import { renewOutdatedAnswers } from '../../api/outdated-answers.ts'
import { listScans } from '../../api/scans.ts'
import type { Library } from '../../api/types.ts'
import { late } from '../../components/late.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
// Most of what it has to say is that the server is away: then it is too late to load it.
import '../../components/toast-region.tsx'
import { t } from '../../i18n/translate.ts'
import { basePath } from '../../primitives/base-path.ts'
import { createDelayed } from '../../primitives/create-delayed.ts'
import { createEntryReturn } from '../../primitives/entry-return.ts'
import { createLibraries, isScanActive } from '../../primitives/libraries.ts'
import { notify, notifyError } from '../../primitives/notify.ts'
import { libraryPath, SEARCH_PATH, withoutBase } from '../../primitives/paths.ts'
import { createReloadPlace } from '../../primitives/reload-place.ts'
import { createScanWatch } from '../../primitives/scan-watch.ts'
import { createCanManage, createIsAdmin } from '../../primitives/session.ts'
import { createShortcutKeys } from '../../primitives/shortcut-keys.ts'
import { createShortcut } from '../../primitives/shortcuts.ts'

const ShellHelp = late(async () => (await import('./shell-help.tsx')).ShellHelp)

/** A field that stands on the screen itself comes before the one in the head. */
const FIELDS = ['main [data-shortcut=search]', '[data-shortcut=header-search]']

/** Scans that may have followed one between two looks. */
const LOOKED_BACK = 5

const isShown = (field: HTMLElement) => field.getClientRects().length > 0

/** In one message of all that have failed alike: with a disk ten libraries may be away. The reasons are texts of Manage. */
const tellFailedScans = async (libraries: readonly Library[], error: string | null) => {
  const alike = libraries.filter(({ lastScan }) => lastScan?.status === 'failed' && lastScan.error === error)
  const names = alike.map(({ name }) => name).join(', ')
  const reason = error === null ? '' : (await import('../../i18n/manage.ts').catch(() => undefined))?.t('scans.error', error)
  notifyError(new Error(`${t('scan.failedToast', names)} ${reason ?? ''}`.trim()), undefined, `scans: ${error}`)
}

const tellHeldScan = async (name: string, decide: () => void) => {
  const { t: manageText } = await import('../../i18n/manage.ts')
  notifyError(new Error(`${name}: ${manageText('scans.heldHeading')}`), { label: manageText('manageLibraries.manage'), run: decide })
}

/** What every screen has and none needs for its first paint: its keys, and the way back to it. For the shell, once. */
export const ShellLater = () => {
  const location = useLocation()
  const navigate = useNavigate()
  const client = useQueryClient()
  const canManage = createCanManage()
  const isAdmin = createIsAdmin()
  const { libraries } = createLibraries()
  const [isHelping, setHelping] = createSignal(false)
  const isRoutingLong = createDelayed(useIsRouting())
  createShortcutKeys()
  createEntryReturn()
  createReloadPlace()
  const tellTrouble = (library: Library, all: readonly Library[]) => {
    const page = `/manage/libraries/${library.id}`
    // Nothing has changed, which looks like a scan that has found nothing new.
    if (library.lastScan?.status === 'held' && withoutBase(location.pathname, basePath) !== page)
      tellHeldScan(library.name, () => navigate(page)).catch(() => undefined)
    if (library.lastScan?.status === 'failed') void tellFailedScans(all, library.lastScan.error)
  }
  /** One of the whole library that has ended since says more. */
  const asItEnded = async (library: Library, scanId: number): Promise<Library> => {
    const { scans } = await listScans(library.id, LOOKED_BACK)
    return { ...library, lastScan: scans.find((scan) => scan.id === scanId || !(scan.paths || isScanActive(scan))) ?? null }
  }
  const tellOverlooked = async (scanIds: ReadonlyMap<Library, number>, all: readonly Library[]) => {
    const ended = await Promise.all([...scanIds].map(([library, scanId]) => asItEnded(library, scanId)))
    const known = all.map((library) => ended.find(({ id }) => id === library.id) ?? library)
    for (const library of ended) tellTrouble(library, known)
  }
  createScanWatch(
    (library, all) => {
      if (!isAdmin()) return
      if (library.lastScan?.status === 'done') notify(t('scan.finishedToast', library.name))
      tellTrouble(library, all)
    },
    (scanIds, all) => void (isAdmin() && tellOverlooked(scanIds, all).catch(() => undefined)),
  )
  onCleanup(keepAnswersAlone(client))
  onCleanup(renewOutdatedAnswers(client))
  onCleanup(forgetLostLibraries(client))
  createShortcut('search', () => {
    const field = FIELDS.flatMap((selector) => [...document.querySelectorAll<HTMLInputElement>(selector)]).find(isShown)
    field?.focus()
    field?.select()
    if (!field) navigate(SEARCH_PATH)
  })
  createShortcut('select', () => document.querySelector<HTMLElement>('[data-select-button][aria-pressed=false]')?.click())
  createShortcut('help', () => setHelping(true))
  createShortcut('goHome', () => navigate('/'))
  createShortcut('goLibrary', () => {
    const here = /^\/l\/(\d+)/.exec(withoutBase(location.pathname, basePath))?.[1]
    const target = here ? Number(here) : libraries()[0]?.id
    if (target !== undefined) navigate(libraryPath(target))
  })
  createShortcut('goManage', () => {
    if (canManage()) navigate('/manage')
  })
  return (
    <>
      {/* The screen that was left stays until the next one has come. */}
      <Show when={isRoutingLong()}>
        <ProgressBar label={t('app.loading')} value={null} class="fixed inset-x-0 top-0 z-70 h-0.5!" />
      </Show>
      <Show when={isHelping()}>
        <ShellHelp onClose={() => setHelping(false)} />
      </Show>
    </>
  )
}
