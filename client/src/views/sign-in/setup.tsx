import { Navigate, useNavigate } from '@solidjs/router'
import { useQueryClient } from '@tanstack/solid-query'
import { Check } from 'lucide-solid'
import { createMemo, createSignal, For, Match, Show, Switch } from 'solid-js'
import { authStatusQuery } from '../../api/auth.ts'
import { librariesQuery } from '../../api/libraries.ts'
import type { User } from '../../api/types.ts'
import { t } from '../../i18n/sign-in.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createUrlState } from '../../primitives/create-url-state.ts'
import { onChange } from '../../primitives/on-change.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { takeFocus } from '../../primitives/route-focus.ts'
import { setUser } from '../../primitives/set-user.ts'
import { Door } from './door.tsx'
import { AccountStep } from './setup-account.tsx'
import { createLibraryDraft, LibraryStep } from './setup-library.tsx'
import { ScanStep } from './setup-scan.tsx'

const STEPS = ['1', '2', '3'] as const
const STEP_LABELS = { '1': 'setup.accountStep', '2': 'setup.libraryStep', '3': 'setup.scanStep' } as const

const StepMarks = (props: { current: number }) => (
  <ol class="mb-6 flex items-center gap-2" aria-label={t('setup.step', props.current, STEPS.length)}>
    <For each={STEPS}>
      {(step) => {
        const isDone = () => Number(step) < props.current
        const isCurrent = () => Number(step) === props.current
        return (
          <li class="flex flex-1 flex-col gap-2" aria-current={isCurrent() ? 'step' : undefined}>
            <span class={`h-1 rounded-pill transition-colors ${isDone() || isCurrent() ? 'bg-accent' : 'bg-raised'}`} />
            <span class={`flex items-center gap-1 text-caption ${isCurrent() ? 'font-semibold text-fg' : 'text-muted'}`}>
              <Show when={isDone()}>
                <Check size={12} aria-hidden="true" class="text-accent" />
              </Show>
              {t(STEP_LABELS[step])}
            </span>
          </li>
        )
      }}
    </For>
  </ol>
)

export const Setup = () => {
  createPageTitle(() => [t('setup.title')])
  const client = useQueryClient()
  const navigate = useNavigate()
  const url = createUrlState()
  // Somebody else may have been first, in another tab or at another device.
  const status = createQuery(() => ({ ...authStatusQuery, refetchOnWindowFocus: 'always' }))
  const [isMade, setMade] = createSignal(false)
  const draft = createLibraryDraft()
  /** Whoever goes back and forth is not asked to begin again what is under way. */
  const [begun, setBegun] = createSignal<{ libraryId: number; path: string }>()
  /** A page that is loaded anew goes on where its address says, for as long as there is no library. */
  const mayGoOn = () => url.get('step') !== '' && status.data?.user?.role === 'admin'
  const known = createQuery(() => ({ ...librariesQuery, enabled: mayGoOn() }))
  const goesOn = createMemo<boolean>((before) => before || (mayGoOn() && known.data?.libraries.length === 0), false)
  const hasAccount = () => isMade() || goesOn()
  const isAsking = () => !hasAccount() && (status.isPending || (mayGoOn() && known.isPending))
  const isForeign = () => status.data?.setupRequired === false && !hasAccount() && !isAsking()
  const step = () => {
    if (!hasAccount()) return '1'
    const wanted = STEPS.find((known) => known === url.get('step'))
    return wanted === '3' && draft.isComplete() ? '3' : '2'
  }
  // The button that led on has gone, and the focus with it.
  onChange(step, () => {
    const heading = document.querySelector('h1')
    if (heading) takeFocus(heading, {})
  })
  const onCreated = (user: User) => {
    setMade(true)
    void setUser(client, user)
    url.change({ step: '2' }, { replace: true })
  }

  return (
    <Door isWide>
      <Show when={isForeign()}>
        <Navigate href="/" />
      </Show>
      <Show when={!isAsking()}>
        <StepMarks current={Number(step())} />
        <Switch>
          <Match when={step() === '1'}>
            <AccountStep onCreated={onCreated} onRefused={() => void status.refetch()} />
          </Match>
          <Match when={step() === '2'}>
            <LibraryStep draft={draft} onContinue={() => url.change({ step: '3' })} onLater={() => navigate('/', { replace: true })} />
          </Match>
          <Match when={step() === '3'}>
            <ScanStep
              draft={draft}
              libraryId={begun()?.path === draft.path() ? begun()?.libraryId : undefined}
              onBegun={(libraryId) => setBegun({ libraryId, path: draft.path() })}
              onBack={() => navigate(-1)}
              onOpen={(libraryId) => navigate(`/l/${libraryId}`, { replace: true })}
            />
          </Match>
        </Switch>
      </Show>
    </Door>
  )
}
