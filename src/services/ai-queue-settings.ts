/** The settings as the queue goes by them: the global ones, those of each library, and the key. */

import { listModels } from '../ai/chat-client.ts'
import { ChatError } from '../ai/chat-failure.ts'
import type { Deps } from '../deps.ts'
import { type AiSettings, effectiveAiSettings } from '../domain/ai-settings.ts'
import { isQueuePaused } from './ai-job-control.ts'
import { loadAiAccess, loadAiMark, loadAiOverrides } from './ai-settings.ts'

/** What tells cheaply whether another server has changed something. */
interface AiQueueMarks {
  isPaused: boolean
  /** Differs where the settings do. */
  mark: string
}

export interface AiQueueSettings extends AiQueueMarks {
  global: AiSettings
  apiKey: string | null
  ofLibrary: (libraryId: number) => AiSettings
  /** Libraries whose pictures are read by a model alone. */
  modelOnlyLibraries: number[]
  /** Libraries about which no model is asked. */
  modelOffLibraries: number[]
}

const loadAiQueueMarks = async (deps: Pick<Deps, 'db'>): Promise<AiQueueMarks> => ({
  isPaused: await isQueuePaused(deps),
  mark: await loadAiMark(deps.db),
})

/** Whether somebody has changed something since they were read, which costs two small reads. */
export const isOutOfDate = async (deps: Pick<Deps, 'db'>, known: AiQueueMarks | undefined): Promise<boolean> => {
  const { isPaused, mark } = await loadAiQueueMarks(deps)
  return isPaused !== known?.isPaused || mark !== known?.mark
}

export const loadAiQueueSettings = async (deps: Pick<Deps, 'db'>): Promise<AiQueueSettings> => {
  // First: what changes meanwhile shows with the next look.
  const marks = await loadAiQueueMarks(deps)
  const { settings, apiKey } = await loadAiAccess(deps.db)
  const overrides = await loadAiOverrides(deps.db)
  const { rows } = await deps.db.$client.execute('SELECT id FROM libraries')
  const effective = new Map(rows.map(({ id }) => [Number(id), effectiveAiSettings(settings, overrides.get(Number(id)))]))
  return {
    ...marks,
    global: settings,
    apiKey,
    ofLibrary: (libraryId) => effective.get(libraryId) ?? settings,
    modelOnlyLibraries: [...effective].filter(([, { ocrMode }]) => ocrMode === 'llm-only').map(([id]) => id),
    modelOffLibraries: [...effective].filter(([, { enabled }]) => !enabled).map(([id]) => id),
  }
}

/** Somebody who is there says something within this time. */
const PROBE_SECONDS = 4

/** Why nobody answers at the endpoint; null where somebody does, even if only to refuse. */
export const probeAiEndpoint = async (deps: Pick<Deps, 'db'>): Promise<string | null> => {
  const { settings, apiKey } = await loadAiAccess(deps.db)
  if (settings.endpoint === '') return 'There is no endpoint yet.'
  try {
    await listModels({ url: settings.endpoint, apiKey, timeoutSeconds: PROBE_SECONDS }, new AbortController().signal)
    return null
  } catch (error) {
    if (!(error instanceof ChatError)) throw error
    return error.failure.kind === 'unreachable' || error.failure.kind === 'timeout' ? error.message : null
  }
}
