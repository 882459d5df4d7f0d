import { CircleAlert, CircleCheck, CircleDashed, PlugZap } from 'lucide-solid'
import { For, type JSX, Match, Show, Switch } from 'solid-js'
import { aiKeys } from '../../api/ai-keys.ts'
import { type EndpointTest, type GlobalAiSettings, testAiEndpoint } from '../../api/ai-settings.ts'
import { aiQueueQuery } from '../../api/ai-tagging.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Panel } from '../../components/panel.tsx'
import { t } from '../../i18n/ai-settings.ts'
import { aiFailureText } from '../../primitives/ai-failure-text.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { onChange } from '../../primitives/on-change.ts'
import { problemText } from '../../primitives/problem-text.ts'

/** The models of the last test; the test runs by itself when the page opens and after each saved change. */
export const createEndpointTest = (settings: () => GlobalAiSettings) => {
  const query = createQuery(() => ({
    queryKey: aiKeys.endpoint(`${settings().endpoint} ${settings().apiKeySet}`),
    queryFn: () => testAiEndpoint(),
    enabled: settings().endpoint !== '',
    staleTime: 60_000,
    retry: false,
  }))
  // The queue is asked for beside this. What it meets with meanwhile is newer than the last answer, and than one under way.
  const queue = createQuery(() => aiQueueQuery)
  onChange(
    () => (queue.data?.waiting ?? null) === null,
    () => settings().endpoint !== '' && void query.refetch(),
  )
  return { query, models: (): string[] => query.data?.models ?? [] }
}

const MODELS_SHOWN = 12

const Line = (props: { icon: JSX.Element; heading: string; children?: JSX.Element }) => (
  <div class="flex min-w-0 gap-3" role="status">
    {props.icon}
    <div class="min-w-0">
      <p class="text-body font-semibold">{props.heading}</p>
      {props.children}
    </div>
  </div>
)

const Outcome = (props: { test: EndpointTest; isEnabled: boolean }) => (
  <Show
    when={props.test.ok}
    fallback={
      <Line icon={<CircleAlert size={24} class="shrink-0 text-danger" aria-hidden="true" />} heading={t('aiStatus.unusable')}>
        <p class="text-small text-muted">{aiFailureText(props.test.error ?? '')}</p>
      </Line>
    }
  >
    <Line
      icon={<CircleCheck size={24} class="shrink-0 text-success" aria-hidden="true" />}
      heading={props.isEnabled ? t('aiStatus.reachable') : `${t('aiStatus.reachable')} · ${t('aiStatus.off')}`}
    >
      <p class="text-small text-muted tabular-nums">{t('aiStatus.facts', props.test.models.length, props.test.latencyMs ?? 0)}</p>
      <ul class="mt-2 flex flex-wrap gap-2" aria-label={t('aiStatus.models')}>
        <For each={props.test.models.slice(0, MODELS_SHOWN)}>
          {(name) => <li class="max-w-full truncate rounded-chip bg-raised px-2 py-1 font-mono text-caption">{name}</li>}
        </For>
        <Show when={props.test.models.length > MODELS_SHOWN}>
          <li class="px-1 py-1 text-caption text-muted">{t('aiStatus.moreModels', props.test.models.length - MODELS_SHOWN)}</li>
        </Show>
      </ul>
    </Line>
  </Show>
)

interface AiEndpointStatusProps {
  settings: GlobalAiSettings
  test: ReturnType<typeof createEndpointTest>['query']
}

/** Whether the saved endpoint answers, and what it offers. */
export const AiEndpointStatus = (props: AiEndpointStatusProps) => (
  <Panel
    title={t('aiStatus.title')}
    actions={
      <Show when={props.settings.endpoint !== ''}>
        <Button size="small" isBusy={props.test.isFetching} onClick={() => void props.test.refetch()}>
          <Show when={!props.test.isFetching}>
            <PlugZap size={16} aria-hidden="true" />
          </Show>
          {t('aiStatus.test')}
        </Button>
      </Show>
    }
  >
    {/* What is below stays where it is when the answer comes, with a row of models. */}
    <div class={props.settings.endpoint === '' ? '' : 'min-h-19'}>
      <Switch>
        <Match when={props.settings.endpoint === ''}>
          <Line icon={<CircleDashed size={24} class="shrink-0 text-muted" aria-hidden="true" />} heading={t('aiStatus.none')}>
            <p class="max-w-[70ch] text-small text-muted">{t('aiStatus.noneLead')}</p>
          </Line>
        </Match>
        <Match when={props.test.isPending}>
          <Line icon={<CircleDashed size={24} class="shrink-0 text-muted" aria-hidden="true" />} heading={t('aiStatus.checking')} />
        </Match>
        <Match when={props.test.data}>{(test) => <Outcome test={test()} isEnabled={props.settings.enabled} />}</Match>
        <Match when={props.test.error}>{(error) => <FormError text={problemText(error())} />}</Match>
      </Switch>
    </div>
  </Panel>
)
