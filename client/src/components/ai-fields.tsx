import { A } from '@solidjs/router'
import { FileText, Languages, ScanText, Sparkles } from 'lucide-solid'
import { createSignal, createUniqueId, For, Show } from 'solid-js'
import { AI_ACTIVITIES, type AiActivity } from '../../../src/domain/ai-activity.ts'
import { needsModel } from '../../../src/domain/ai-job.ts'
import { aiKeys } from '../api/ai-keys.ts'
import { getOcrSettings } from '../api/ai-settings.ts'
import type { BrowseEntry, Item } from '../api/types.ts'
import { t } from '../i18n/ai-fields.ts'
import { aiFailureText } from '../primitives/ai-failure-text.ts'
import { createAiFields } from '../primitives/create-ai-fields.ts'
import { createQuery } from '../primitives/create-query.ts'
import { createUserSettings } from '../primitives/create-user-settings.ts'
import { notifyError } from '../primitives/notify.ts'
import { onChange } from '../primitives/on-change.ts'
import { createCan, createIsAdmin } from '../primitives/session.ts'
import { AiTags } from './ai-tags.tsx'
import { ExtractedText } from './extracted-text.tsx'
import { FormError } from './form-error.tsx'
import { OcrLanguageField } from './ocr-language-field.tsx'
import { PendingButton } from './pending-button.tsx'
import { QueryView } from './query-view.tsx'
import { TextField } from './text-field.tsx'

type Fields = ReturnType<typeof createAiFields>

const ICONS = { tagging: Sparkles, description: FileText, extraction: ScanText, translation: Languages } as const

const AskButton = (props: { ai: Fields; activity: AiActivity; label: string; offBy: string | undefined; onAsk: () => void }) => {
  const Icon = ICONS[props.activity]
  const pending = () => {
    const state = props.ai.stateOf(props.activity)
    return state.kind === 'pending' ? t(state.isRunning ? 'aiFields.running' : 'aiFields.queued') : undefined
  }
  return (
    <PendingButton
      icon={<Icon size={16} aria-hidden="true" />}
      pending={pending()}
      disabled={props.offBy !== undefined}
      describedBy={props.offBy}
      onClick={props.onAsk}
    >
      {props.label}
    </PendingButton>
  )
}

type Asked = NonNullable<ReturnType<Fields['problem']>>['activity']

const problemOf = (ai: Fields, ...of: Asked[]): string | undefined => {
  const known = ai.problem()
  return known && of.includes(known.activity) ? known.message : undefined
}

/** Why something waits, and what went wrong: only the latter is an error. */
const Notes = (props: { ai: Fields }) => {
  let notes!: HTMLDivElement
  const isAdmin = createIsAdmin()
  const waiting = () =>
    AI_ACTIVITIES.flatMap((activity) => {
      const state = props.ai.stateOf(activity)
      return state.kind === 'pending' && state.note ? [state.note] : []
    })
  const failures = () =>
    AI_ACTIVITIES.flatMap((activity) => {
      const state = props.ai.stateOf(activity)
      return state.kind === 'failed' ? [t('aiFields.failed', t(`aiFields.activity.${activity}`), aiFailureText(state.message))] : []
    })
  const ended = () => {
    const last = props.ai.ended()
    // Of tags, what came of them is said instead.
    if (!last || (last.activity === 'tagging' && !last.isCancelled)) return undefined
    return t(last.isCancelled ? 'aiFields.cancelled' : 'aiFields.ended', t(`aiFields.activity.${last.activity}`))
  }
  const refusal = () => problemOf(props.ai, 'tagging', 'description', 'extraction')
  // What a phone shows of the details ends at the button that was pressed.
  onChange(
    () => [...waiting(), ...failures(), props.ai.ended()?.activity, refusal()].join(),
    () => (props.ai.isAsked() || refusal()) && requestAnimationFrame(() => notes.scrollIntoView({ block: 'nearest' })),
  )
  return (
    <div ref={notes} class="flex scroll-mb-24 flex-col gap-2" aria-live="polite">
      <For each={[...new Set(waiting())]}>
        {(note) => <p class="text-small text-muted">{t('aiFields.waiting', aiFailureText(note))}</p>}
      </For>
      <Show when={!props.ai.isPatient()}>
        <p class="text-small text-muted">
          {t('aiFields.stillQueued')}{' '}
          <Show when={isAdmin()}>
            <A href="/manage/jobs" class="text-accent underline">
              {t('aiFields.jobs')}
            </A>
          </Show>
        </p>
      </Show>
      <Show when={ended()}>{(text) => <p class="text-small text-muted">{text()}</p>}</Show>
      <Show when={props.ai.tagged()}>
        {(tagged) => (
          <>
            <Show when={tagged().added === 0}>
              <p class="text-small text-muted">{t('aiFields.noFurtherTag')}</p>
            </Show>
            <Show when={isAdmin() && tagged().suggestions.length > 0}>
              <p class="max-w-[70ch] text-small break-words text-muted">
                {t('aiFields.suggested', tagged().suggestions.length)} {tagged().suggestions.join(', ')}{' '}
                <A href="/manage/ai-tagging" class="text-accent underline">
                  {t('aiFields.suggestions')}
                </A>
              </p>
            </Show>
          </>
        )}
      </Show>
      <For each={failures()}>{(message) => <FormError text={message} />}</For>
      <FormError text={refusal()} />
    </div>
  )
}

/** Lists have no files that are missing, and do not tell, nor who put the tags on, nor what describes an entry. */
export type AiItem = Pick<BrowseEntry, 'itemKey' | 'itemType' | 'libraryId' | 'tagIds' | 'hasExtractedText'> &
  Partial<Pick<Item, 'missingSince' | 'tags' | 'description'>>

/** What models made of an item, and the buttons that ask for it. Everybody sees the texts; who may use AI sees the buttons. */
export const AiFields = (props: {
  item: AiItem
  /** What the page shows of the item already: a description is not said twice. */
  shownText?: string | null | undefined
  /** Somebody has asked to write in the extracted text: its field gets the caret as soon as it is there. */
  isWriting?: boolean
}) => {
  const can = createCan()
  const ai = createAiFields(() => props.item, notifyError)
  const ocr = createQuery(() => ({
    queryKey: aiKeys.ocr(props.item.libraryId),
    queryFn: () => getOcrSettings(props.item.libraryId),
    enabled: can('useAi'),
  }))
  const user = createUserSettings()
  const [languages, setLanguages] = createSignal<string>()
  const [source, setSource] = createSignal('')
  const [target, setTarget] = createSignal<string>()
  const shownTarget = () => target() ?? user.settings().translationTarget ?? ''
  const isMissing = () => (props.item.missingSince ?? null) !== null
  /** Of a picture or a video nothing else tells what is to be seen in it; of a film its title and plot do. */
  const isBlind = () => isMissing() && props.item.itemType === 'mixed_file'
  const offId = createUniqueId()
  /** All at once: what came later would push the rest away, with the caret or a finger on it. */
  const isReady = () => ocr.isFetched || !can('useAi')
  const isOff = () => ocr.data?.enabled === false
  /** There is a model to ask, if only one day: what nobody ever set up is not offered. */
  const hasModel = () => ocr.data?.hasEndpoint !== false
  const isAdmin = createIsAdmin()
  /** The id of what says that no model may be asked, where this needs one. */
  const offBy = (activity: AiActivity) => (ocr.data && isOff() && needsModel(activity, ocr.data.ocrMode) ? offId : undefined)
  const usesRecognition = () => ocr.data !== undefined && ocr.data.ocrMode !== 'llm-only'
  /** Nothing where it is what the settings say: they may change before the job begins. */
  const wantedLanguages = () => (languages() === ocr.data?.ocrLanguages ? undefined : languages())
  return (
    <QueryView query={ai.query}>
      {(fields) => {
        const hasText = () => (fields().extractedText ?? '').trim() !== ''
        const mayExtract = () => (hasModel() || usesRecognition()) && !isMissing() && (!fields().isTextEdited || can('editMetadata'))
        const hasAnything = () => can('useAi') || fields().description !== null || hasText() || fields().translation !== null
        return (
          <Show when={isReady() && hasAnything()}>
            <section class="flex flex-col gap-4" aria-label={t('aiFields.title')}>
              <Show when={can('useAi')}>
                <div class="flex flex-wrap gap-2">
                  <Show when={hasModel()}>
                    <AskButton
                      ai={ai}
                      activity="tagging"
                      label={t('aiFields.tag')}
                      offBy={offBy('tagging')}
                      onAsk={() => void ai.ask('tagging')}
                    />
                  </Show>
                  <Show when={hasModel() && !isBlind()}>
                    <AskButton
                      ai={ai}
                      activity="description"
                      label={t('aiFields.describe')}
                      offBy={offBy('description')}
                      onAsk={() => void ai.ask('description')}
                    />
                  </Show>
                  <Show when={mayExtract()}>
                    <AskButton
                      ai={ai}
                      activity="extraction"
                      label={t('aiFields.extract')}
                      offBy={offBy('extraction')}
                      onAsk={() => void ai.ask('extraction', { ocrLanguages: usesRecognition() ? wantedLanguages() : undefined })}
                    />
                  </Show>
                </div>
                <Show when={hasModel() && isOff()}>
                  <p id={offId} class="max-w-[70ch] text-small text-muted">
                    {t(usesRecognition() ? 'aiFields.offButRecognition' : 'aiFields.off')}
                  </p>
                </Show>
                <Show when={isMissing()}>
                  <p class="max-w-[70ch] text-small text-muted">{isBlind() ? t('aiFields.blind') : t('aiFields.missing')}</p>
                </Show>
                <Show when={!hasModel() && (isAdmin() || !usesRecognition())}>
                  <p class="text-small text-muted">
                    {t('aiFields.noModel')}{' '}
                    <Show when={isAdmin()}>
                      <A href="/manage/ai-tagging" class="text-accent underline">
                        {t('aiFields.setUp')}
                      </A>
                    </Show>
                  </p>
                </Show>
              </Show>
              <Notes ai={ai} />
              <Show when={fields().description !== props.shownText && fields().description}>
                {(text) => (
                  <div>
                    <h3 class="mb-1 text-small font-semibold">{t('aiFields.description')}</h3>
                    <p class="max-w-[70ch] text-small break-words whitespace-pre-wrap">{text()}</p>
                  </div>
                )}
              </Show>
              <AiTags item={props.item} />
              <Show when={can('useAi') && usesRecognition() && mayExtract()}>
                <OcrLanguageField
                  label={t('aiFields.ocrLanguages')}
                  hint={t('aiFields.ocrLanguagesHint')}
                  value={languages() ?? ocr.data?.ocrLanguages ?? ''}
                  installed={ocr.data?.availableLanguages}
                  isNeeded
                  onChange={setLanguages}
                />
              </Show>
              <Show when={fields().extractedText !== null}>
                <ExtractedText
                  text={fields().extractedText}
                  itemKey={props.item.itemKey}
                  isWriting={props.isWriting}
                  isSaving={ai.isSaving()}
                  problem={problemOf(ai, 'text')}
                  onSave={ai.save}
                />
              </Show>
              <Show when={fields().unreadPages > 0}>
                <p class="text-small text-muted">
                  {t(props.item.itemType === 'manga_volume' ? 'aiFields.unreadPages' : 'aiFields.unreadPictures', fields().unreadPages)}
                </p>
              </Show>
              <Show when={can('useAi') && hasModel() && hasText()}>
                <div class="flex flex-wrap items-end gap-2">
                  <TextField
                    label={t('aiFields.source')}
                    placeholder={t('aiFields.sourceAny')}
                    value={source()}
                    onInput={(event) => setSource(event.currentTarget.value)}
                    maxLength={60}
                    class="w-full sm:w-44"
                  />
                  <TextField
                    label={t('aiFields.target')}
                    placeholder={t('aiFields.targetDefault')}
                    value={shownTarget()}
                    onInput={(event) => setTarget(event.currentTarget.value)}
                    maxLength={60}
                    class="w-full sm:w-44"
                  />
                  <AskButton
                    ai={ai}
                    activity="translation"
                    label={t('aiFields.translate')}
                    offBy={offBy('translation')}
                    onAsk={() => void ai.ask('translation', { sourceLanguage: source().trim(), targetLanguage: shownTarget().trim() })}
                  />
                </div>
                <FormError text={problemOf(ai, 'translation')} />
              </Show>
              <Show when={fields().translation}>
                {(text) => (
                  <div>
                    <h3 class="mb-1 flex flex-wrap items-baseline gap-x-3 text-small font-semibold">
                      {t('aiFields.translation')}
                      <Show when={fields().translationStale}>
                        <span class="text-caption font-normal text-warning">{t('aiFields.stale')}</span>
                      </Show>
                    </h3>
                    <p class="max-w-[70ch] text-small break-words whitespace-pre-wrap">{text()}</p>
                  </div>
                )}
              </Show>
            </section>
          </Show>
        )
      }}
    </QueryView>
  )
}
