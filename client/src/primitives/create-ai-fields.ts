/** The AI texts of one item, and what is under way for them: asked for again every two seconds for as long as it is. */

import { debounce } from '@solid-primitives/scheduled'
import { useQueryClient } from '@tanstack/solid-query'
import { type Accessor, createEffect, createMemo, createSignal, on, onCleanup } from 'solid-js'
import { AI_ACTIVITIES, type AiActivity } from '../../../src/domain/ai-activity.ts'
import { aiKeys } from '../api/ai-keys.ts'
import { type AiAsk, type AiFields, getAiFields, requestAiJob, saveExtractedText } from '../api/ai-tagging.ts'
import { queryKeys } from '../api/query-keys.ts'
import type { BrowseEntry } from '../api/types.ts'
import { createQuery } from './create-query.ts'
import { createRefresh } from './create-refresh.ts'
import { onChange } from './on-change.ts'
import { problemText } from './problem-text.ts'

export const AI_POLL_MS = 2000
/** After this long it is said that the job waits; it is asked for on, so that a late answer still shows. */
const PATIENCE_MS = 10 * 60_000

type AiState =
  | { kind: 'idle' }
  /** `note`: why it waits, where that is known. */
  | { kind: 'pending'; isRunning: boolean; note: string | null }
  | { kind: 'failed'; message: string }

type Job = AiFields['jobs'][number]

const isOpen = ({ status }: Job): boolean => status === 'queued' || status === 'running'

/** What the fields say of an activity: an unfinished job goes before one that failed. */
export const aiStateOf = (fields: AiFields | undefined, activity: AiActivity): AiState => {
  const jobs = (fields?.jobs ?? []).filter((job) => job.activity === activity)
  const open = jobs.find(isOpen)
  if (open) return { kind: 'pending', isRunning: open.status === 'running', note: open.error }
  const failed = jobs.find(({ status }) => status === 'failed')
  return failed ? { kind: 'failed', message: failed.error ?? '' } : { kind: 'idle' }
}

/** `tellElsewhere` says what went wrong with an item that is not looked at any more. */
export const createAiFields = (item: Accessor<Pick<BrowseEntry, 'itemKey' | 'libraryId'>>, tellElsewhere: (error: unknown) => void) => {
  const client = useQueryClient()
  const refresh = createRefresh()
  const key = () => aiKeys.fields(item().itemKey)
  const query = createQuery<AiFields>(() => ({
    queryKey: key(),
    queryFn: ({ signal }) => getAiFields(item().itemKey, signal),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.jobs.some(isOpen) ? AI_POLL_MS : false),
  }))
  const fields = () => query.data
  const [problem, setProblem] = createSignal<{ activity: AiActivity | 'text'; message: string }>()
  const [isSaving, setSaving] = createSignal(false)
  const [isPatient, setPatient] = createSignal(true)
  /** The last job that was asked for here. */
  const [asked, setAsked] = createSignal<{ activity: AiActivity; jobId: number }>()
  /** What came of it: of one that brought nothing, nothing else would be seen. */
  const tagged = () => {
    const last = fields()?.lastTagging
    return last && last.jobId === asked()?.jobId ? last : undefined
  }

  /** What was asked for here last, once it is no longer under way. A model's text may be the one that there was, or far below. */
  const ended = () => {
    const last = asked()
    if (!last || fields()?.jobs.some(({ id }) => id === last.jobId)) return undefined
    return { activity: last.activity, isCancelled: fields()?.cancelledJobIds.includes(last.jobId) === true }
  }

  const looked = createMemo(() => item().itemKey)
  const openActivities = createMemo(() => AI_ACTIVITIES.filter((activity) => aiStateOf(fields(), activity).kind === 'pending').join())
  const losePatience = debounce(() => setPatient(false), PATIENCE_MS)
  createEffect(
    on([looked, openActivities], ([key, now], before) => {
      losePatience.clear()
      setPatient(true)
      if (now !== '') losePatience()
      // Something has ended: tags, description and badges elsewhere may be new.
      const hasEnded = before?.[1].split(',').some((activity) => activity !== '' && !now.split(',').includes(activity))
      if (!hasEnded || before?.[0] !== key) return
      void refresh(item().libraryId)
      void client.invalidateQueries({ queryKey: queryKeys.assignments(item().itemKey) })
    }),
  )
  onChange(looked, () => {
    setProblem(undefined)
    setAsked(undefined)
  })

  let isClosed = false
  onCleanup(() => {
    isClosed = true
  })
  /** The problem of what is looked at: by the time that an answer comes it may be something else. */
  const tell = (itemKey: string, activity: AiActivity | 'text', error: unknown) => {
    if (isClosed || item().itemKey !== itemKey) tellElsewhere(error)
    else setProblem({ activity, message: problemText(error) })
  }

  const ask = async (activity: AiActivity, more: AiAsk = {}): Promise<void> => {
    const { itemKey } = item()
    const own = aiKeys.fields(itemKey)
    setProblem(undefined)
    try {
      const { jobId, status } = await requestAiJob(activity, itemKey, more)
      client.setQueryData<AiFields>(
        own,
        (known) => known && { ...known, jobs: [...known.jobs, { id: jobId, activity, status, error: null }] },
      )
      if (item().itemKey === itemKey) setAsked({ activity, jobId })
      await Promise.all([own, aiKeys.queue].map((queryKey) => client.invalidateQueries({ queryKey })))
    } catch (error) {
      tell(itemKey, activity, error)
    }
  }

  const save = async (text: string): Promise<boolean> => {
    const { itemKey, libraryId } = item()
    const own = aiKeys.fields(itemKey)
    setProblem(undefined)
    setSaving(true)
    try {
      const saved = await saveExtractedText(itemKey, text)
      // An answer under way is older than this one, and would put the old text back.
      await client.cancelQueries({ queryKey: own })
      client.setQueryData<AiFields>(own, saved)
      void refresh(libraryId)
      return true
    } catch (error) {
      tell(itemKey, 'text', error)
      return false
    } finally {
      setSaving(false)
    }
  }

  const stateOf = (activity: AiActivity) => aiStateOf(fields(), activity)
  return { query, fields, problem, isSaving, isPatient, stateOf, isAsked: () => asked() !== undefined, tagged, ended, ask, save }
}
