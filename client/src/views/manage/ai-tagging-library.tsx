import { useQueryClient } from '@tanstack/solid-query'
import { For, Show } from 'solid-js'
import { AI_ACTIVITIES, type AiActivity } from '../../../../src/domain/ai-activity.ts'
import { aiKeys } from '../../api/ai-keys.ts'
import {
  aiSettingsQuery,
  type GlobalAiSettings,
  getLibraryAiSettings,
  type LibraryAiSettings,
  libraryAiSettingsQuery,
  replaceLibraryAiSettings,
} from '../../api/ai-settings.ts'
import { changeLibrary } from '../../api/libraries.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { Library } from '../../api/types.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { SwitchField } from '../../components/switch-field.tsx'
import { t } from '../../i18n/ai-settings.ts'
import { globalForm, libraryForm, toOverrides } from '../../primitives/ai-form.ts'
import { createChanges } from '../../primitives/create-changes.ts'
import { createDraft } from '../../primitives/create-draft.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createCrumbs } from '../../primitives/crumbs.ts'
import { createSubmit } from '../../primitives/form-problem.ts'
import { createLibrary } from '../../primitives/libraries.ts'
import { notify, notifyError } from '../../primitives/notify.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { UnknownLibrary } from '../library/unknown-library.tsx'
import { AiActivities } from './ai-tagging-activity.tsx'
import { AiBatches } from './ai-tagging-batch.tsx'
import { createEndpointTest } from './ai-tagging-endpoint.tsx'
import { AiTextField } from './ai-tagging-field.tsx'
import { AiOcr } from './ai-tagging-ocr.tsx'
import { AI_FORM, AiSave } from './ai-tagging-save.tsx'

/** Each switch saves at once: it is no part of the overrides. */
const OnScan = (props: { library: Library }) => {
  const client = useQueryClient()
  const { id } = props.library
  const { shown, change } = createChanges({
    saved: (): readonly AiActivity[] => props.library.aiOnScan ?? [],
    apply: (_before, activities: readonly AiActivity[]) => activities,
    save: async (activities) => {
      await changeLibrary(id, { aiOnScan: [...activities] })
      notify(t('aiLibrary.onScanSaved'))
    },
    tellRefusal: notifyError,
    refresh: () => client.invalidateQueries({ queryKey: queryKeys.libraries }),
  })
  const toggle = (activity: AiActivity, isOn: boolean) => {
    const rest = shown().filter((known) => known !== activity)
    change(isOn ? [...rest, activity] : rest)
  }
  return (
    <Panel title={t('aiLibrary.onScan')} lead={t('aiLibrary.onScanLead')}>
      <div class="divide-y divide-line">
        <For each={AI_ACTIVITIES}>
          {(activity) => (
            <SwitchField
              label={t(`ai.activity.${activity}`)}
              isOn={shown().includes(activity)}
              onChange={(isOn) => toggle(activity, isOn)}
            />
          )}
        </For>
      </div>
    </Panel>
  )
}

const Overrides = (props: { library: Library; global: GlobalAiSettings; own: LibraryAiSettings }) => {
  const client = useQueryClient()
  const inherited = () => globalForm(props.global)
  const draft = createDraft(() => libraryForm(props.own.overrides))
  const endpoint = createEndpointTest(() => props.global)
  const form = createSubmit(async () => {
    const { id } = props.library
    await draft.save(
      async () => libraryForm((await getLibraryAiSettings(id)).overrides),
      async (fields) => {
        const saved = await replaceLibraryAiSettings(id, toOverrides(fields))
        client.setQueryData(aiKeys.librarySettings(id), saved)
        void client.invalidateQueries({ queryKey: aiKeys.ocr(id) })
        return libraryForm(saved.overrides)
      },
    )
    notify(t('ai.saved'))
  })
  const problemOf = (path: string) => form.problem.ofField(`overrides.${path}`)
  return (
    <>
      <div class="grid items-start gap-6 lg:grid-cols-[1fr_22rem]">
        <form id={AI_FORM} onSubmit={form.submit} class="flex min-w-0 flex-col gap-6">
          <Panel title={t('aiLibrary.general')}>
            <div class="mb-4">
              <SwitchField
                label={t('aiLibrary.enabled')}
                hint={t('aiLibrary.enabledHint')}
                isOn={draft.fields.enabled}
                onChange={(isOn) => draft.set('enabled', isOn)}
              />
            </div>
            <div class="grid items-start gap-4 sm:grid-cols-2">
              <AiTextField
                label={t('aiStatus.model')}
                value={draft.fields.model}
                inherited={inherited().model}
                suggestions={endpoint.models()}
                error={problemOf('model')}
                onInput={(model) => draft.set('model', model)}
              />
              <AiTextField
                label={t('aiStatus.targetLanguage')}
                value={draft.fields.targetLanguage}
                inherited={inherited().targetLanguage}
                error={problemOf('targetLanguage')}
                onInput={(targetLanguage) => draft.set('targetLanguage', targetLanguage)}
              />
            </div>
          </Panel>
          <AiOcr form={draft.fields} inherited={inherited()} error={problemOf('ocrLanguages')} onChange={(change) => draft.set(change)} />
          <AiActivities
            form={draft.fields}
            inherited={inherited()}
            models={endpoint.models()}
            libraryId={props.library.id}
            problemOf={problemOf}
            onChange={(activity, change) => draft.set('activities', activity, change)}
          />
        </form>
        <div class="flex min-w-0 flex-col gap-6">
          <AiBatches library={props.library} />
          <OnScan library={props.library} />
        </div>
      </div>
      <AiSave form={form} draft={draft} prefix="overrides." />
    </>
  )
}

const LibraryPage = (props: { library: Library }) => {
  const global = createQuery(() => aiSettingsQuery)
  const own = createQuery(() => libraryAiSettingsQuery(props.library.id))
  const skeleton = <Skeleton class="h-80 w-full" />
  return (
    <>
      <PageHeader title={props.library.name} lead={t('aiLibrary.pageLead', props.library.name)} />
      <QueryView query={global} skeleton={skeleton}>
        {(settings) => (
          <QueryView query={own} skeleton={skeleton}>
            {(overrides) => <Overrides library={props.library} global={settings()} own={overrides()} />}
          </QueryView>
        )}
      </QueryView>
    </>
  )
}

export const ManageAiLibrary = (props: { libraryId: number }) => {
  const { query, library } = createLibrary(() => props.libraryId)
  createPageTitle(() => [library()?.name, t('ai.title')])
  createCrumbs(() => [{ label: t('ai.title'), href: '/manage/ai-tagging' }])
  return (
    <QueryView isScreen query={query} skeleton={<Skeleton class="h-80 w-full" />}>
      {() => (
        <Show when={library()} fallback={<UnknownLibrary />}>
          {(known) => <LibraryPage library={known()} />}
        </Show>
      )}
    </QueryView>
  )
}
