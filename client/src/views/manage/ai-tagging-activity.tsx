import { Eye } from 'lucide-solid'
import { createMemo, createSignal, For, Show } from 'solid-js'
import { AI_ACTIVITIES } from '../../../../src/domain/ai-activity.ts'
import { DEFAULT_PROMPTS, PROMPT_PLACEHOLDERS, type PromptPlaceholder } from '../../../../src/domain/ai-prompts.ts'
import { Button } from '../../components/button.tsx'
import { late } from '../../components/late.tsx'
import { TabLinks } from '../../components/tab-links.tsx'
import { t } from '../../i18n/ai-settings.ts'
import { type ActivityForm, refusedActivities, type SharedForm } from '../../primitives/ai-form.ts'
import { createUrlChoice } from '../../primitives/create-url-state.ts'
import { onChange } from '../../primitives/on-change.ts'
import { AiPromptField, AiTextField } from './ai-tagging-field.tsx'

const Preview = late(async () => (await import('./ai-tagging-preview.tsx')).AiPromptPreview)

const PANEL = 'ai-activity'
const isPlaceholder = (name: string): name is PromptPlaceholder => name in PROMPT_PLACEHOLDERS
const PLACEHOLDERS = Object.keys(PROMPT_PLACEHOLDERS).filter(isPlaceholder)

const Placeholders = () => (
  <details class="text-small">
    <summary class="cursor-pointer py-1 pointer-coarse:py-3 text-muted hover:text-fg">{t('aiActivity.placeholders')}</summary>
    <p class="mt-1 max-w-[70ch] text-caption text-muted">{t('aiActivity.placeholdersLead')}</p>
    <dl class="mt-3 grid gap-x-4 gap-y-2 text-caption sm:grid-cols-[auto_1fr]">
      <For each={PLACEHOLDERS}>
        {(name) => (
          <>
            <dt class="font-mono">{`{${name}}`}</dt>
            <dd class="text-muted max-sm:mb-1">{t(`aiPlaceholder.${name}`)}</dd>
          </>
        )}
      </For>
    </dl>
  </details>
)

interface AiActivitiesProps {
  form: SharedForm
  /** The global form, in that of a library. */
  inherited?: SharedForm | undefined
  models: readonly string[]
  /** The library whose items are offered for the preview first. */
  libraryId?: number | undefined
  problemOf: (path: string) => string | undefined
  onChange: (activity: (typeof AI_ACTIVITIES)[number], change: Partial<ActivityForm>) => void
}

/** Model, length of the answer and prompt of each activity, one tab each. */
export const AiActivities = (props: AiActivitiesProps) => {
  const [activity, setActivity] = createUrlChoice('activity', AI_ACTIVITIES, () => 'tagging')
  const [isPreviewing, setPreviewing] = createSignal(false)
  const refused = createMemo(() => refusedActivities(props.problemOf))
  onChange(refused, ([first]) => first !== undefined && !refused().includes(activity()) && setActivity(first))
  const own = () => props.form.activities[activity()]
  const inherited = () => props.inherited?.activities[activity()]
  const inheritedPrompt = (part: 'system' | 'instructions') => {
    const above = inherited()
    return above && (above[part].trim() === '' ? DEFAULT_PROMPTS[activity()][part] : above[part])
  }
  const problem = (field: string) => props.problemOf(`activities.${activity()}.${field}`)
  const change = (changed: Partial<ActivityForm>) => props.onChange(activity(), changed)
  return (
    <section class="rounded-card border border-line bg-surface p-4 sm:p-6">
      <h2 class="sr-only">{t('ai.activities')}</h2>
      <TabLinks
        label={t('ai.activities')}
        value={activity()}
        panelId={PANEL}
        tabs={AI_ACTIVITIES.map((value) => ({
          value,
          label: t(`ai.activity.${value}`),
          ...(refused().includes(value) && { note: '!' }),
        }))}
        onSelect={setActivity}
      />
      <div id={PANEL} role="tabpanel" aria-label={t(`ai.activity.${activity()}`)} class="mt-4 flex flex-col gap-4">
        <div class="flex flex-wrap items-start justify-between gap-3">
          <p class="max-w-[60ch] min-w-[min(15rem,100%)] flex-1 text-small text-muted">{t(`ai.activityLead.${activity()}`)}</p>
          <Button size="small" onClick={() => setPreviewing(true)}>
            <Eye size={16} aria-hidden="true" />
            {t('aiActivity.preview')}
          </Button>
        </div>
        <div class="grid gap-4 sm:grid-cols-2">
          <AiTextField
            label={t('aiActivity.model')}
            value={own().model}
            inherited={inherited()?.model}
            placeholder={t('aiActivity.asGeneral', props.form.model || (props.inherited?.model ?? ''))}
            suggestions={props.models}
            error={problem('model')}
            onInput={(model) => change({ model })}
          />
          <AiTextField
            isNumber
            label={t('aiActivity.maxTokens')}
            hint={t('aiActivity.maxTokensHint')}
            value={own().maxTokens}
            inherited={inherited()?.maxTokens}
            error={problem('maxTokens')}
            onInput={(maxTokens) => change({ maxTokens })}
          />
        </div>
        <AiPromptField
          rows={8}
          label={t('aiActivity.system')}
          hint={t('aiActivity.systemHint')}
          value={own().system}
          inherited={inheritedPrompt('system')}
          standard={DEFAULT_PROMPTS[activity()].system}
          error={problem('prompt.system')}
          onInput={(system) => change({ system })}
        />
        <AiPromptField
          rows={14}
          label={t('aiActivity.instructions')}
          hint={t('aiActivity.instructionsHint')}
          value={own().instructions}
          inherited={inheritedPrompt('instructions')}
          standard={DEFAULT_PROMPTS[activity()].instructions}
          error={problem('prompt.instructions')}
          onInput={(instructions) => change({ instructions })}
        />
        <Placeholders />
      </div>
      <Show when={isPreviewing()}>
        <Preview
          activity={activity()}
          prompt={{ system: own().system, instructions: own().instructions }}
          libraryId={props.libraryId}
          onClose={() => setPreviewing(false)}
        />
      </Show>
    </section>
  )
}
