import { A } from '@solidjs/router'
import { useQueryClient } from '@tanstack/solid-query'
import { ChevronRight } from 'lucide-solid'
import { For } from 'solid-js'
import { aiKeys } from '../../api/ai-keys.ts'
import { aiSettingsQuery, type GlobalAiSettings, getAiSettings, replaceAiSettings } from '../../api/ai-settings.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { LibraryIcon } from '../../components/type-icon.tsx'
import { t } from '../../i18n/ai-settings.ts'
import { globalForm, toSettings } from '../../primitives/ai-form.ts'
import { createDraft } from '../../primitives/create-draft.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createSubmit } from '../../primitives/form-problem.ts'
import { createLibraries } from '../../primitives/libraries.ts'
import { notify } from '../../primitives/notify.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { AiActivities } from './ai-tagging-activity.tsx'
import { AiBatches } from './ai-tagging-batch.tsx'
import { AiConnection } from './ai-tagging-connection.tsx'
import { AiEndpointStatus, createEndpointTest } from './ai-tagging-endpoint.tsx'
import { AiOcr } from './ai-tagging-ocr.tsx'
import { AI_FORM, AiSave } from './ai-tagging-save.tsx'
import { AiSuggestions } from './ai-tagging-suggestions.tsx'

const LibraryLinks = () => {
  const { libraries } = createLibraries()
  return (
    <Panel title={t('aiLibrary.title')} lead={t('aiLibrary.lead')}>
      <ul class="-mx-2 flex flex-col">
        <For each={libraries()}>
          {(library) => (
            <li>
              <A
                href={`/manage/ai-tagging/${library.id}`}
                class="flex h-11 items-center gap-3 rounded-card px-2 text-small transition-colors hover:bg-raised"
              >
                <LibraryIcon type={library.type} size={18} />
                <span class="min-w-0 flex-1 truncate">{library.name}</span>
                <ChevronRight size={16} class="shrink-0 text-muted" aria-hidden="true" />
              </A>
            </li>
          )}
        </For>
      </ul>
    </Panel>
  )
}

const Settings = (props: { settings: GlobalAiSettings }) => {
  const client = useQueryClient()
  const draft = createDraft(() => globalForm(props.settings))
  const endpoint = createEndpointTest(() => props.settings)
  const form = createSubmit(async () => {
    await draft.save(
      async () => globalForm(await getAiSettings()),
      async (fields) => {
        const saved = await replaceAiSettings(toSettings(fields))
        client.setQueryData(aiKeys.settings, saved)
        return globalForm(saved)
      },
    )
    notify(t('ai.saved'))
    await client.invalidateQueries({ queryKey: ['ai'], predicate: ({ queryKey }) => queryKey[1] !== 'settings' || queryKey.length > 2 })
  })
  return (
    <>
      <div class="grid items-start gap-6 lg:grid-cols-[1fr_22rem]">
        <form id={AI_FORM} onSubmit={form.submit} class="flex min-w-0 flex-col gap-6">
          <AiEndpointStatus settings={props.settings} test={endpoint.query} />
          <AiConnection
            form={draft.fields}
            saved={props.settings}
            models={endpoint.models()}
            problemOf={form.problem.ofField}
            set={draft.set}
          />
          <AiOcr form={draft.fields} error={form.problem.ofField('ocrLanguages')} onChange={(change) => draft.set(change)} />
          <AiActivities
            form={draft.fields}
            models={endpoint.models()}
            problemOf={form.problem.ofField}
            onChange={(activity, change) => draft.set('activities', activity, change)}
          />
        </form>
        <div class="flex min-w-0 flex-col gap-6">
          <AiBatches />
          <AiSuggestions />
          <LibraryLinks />
        </div>
      </div>
      <AiSave form={form} draft={draft} />
    </>
  )
}

export const ManageAiTagging = () => {
  createPageTitle(() => [t('ai.title'), t('nav.manage')])
  const settings = createQuery(() => aiSettingsQuery)
  return (
    <>
      <PageHeader title={t('ai.title')} lead={t('ai.lead')} />
      <QueryView query={settings} skeleton={<For each={[1, 2, 3]}>{() => <Skeleton class="mb-6 h-40 w-full" />}</For>}>
        {(known) => <Settings settings={known()} />}
      </QueryView>
    </>
  )
}
