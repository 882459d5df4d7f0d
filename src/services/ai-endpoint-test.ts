/** Whether the model endpoint answers, for the administrator who sets it up. */

import { listModels } from '../ai/chat-client.ts'
import { ChatError } from '../ai/chat-failure.ts'
import type { Deps } from '../deps.ts'
import { endpointOrigin } from '../domain/endpoint-origin.ts'
import { loadAiAccess } from './ai-settings.ts'
import type { AiTestInput } from './ai-settings-schema.ts'

interface EndpointTest {
  ok: boolean
  models: string[]
  latencyMs: number | null
  /** For people; null where it is ok. */
  error: string | null
}

/** Somebody is waiting in front of the page. */
const TIMEOUT_SECONDS = 15

/** Asks the endpoint for its models: the saved one, or one that is not saved yet. The saved key goes to the saved place only. */
export const testAiEndpoint = async (deps: Pick<Deps, 'db'>, input: AiTestInput, signal: AbortSignal): Promise<EndpointTest> => {
  const { settings, apiKey } = await loadAiAccess(deps.db)
  const url = input.endpoint ?? settings.endpoint
  if (url === '') return { ok: false, models: [], latencyMs: null, error: 'There is no endpoint yet.' }
  const isSaved = settings.endpoint !== '' && endpointOrigin(url) === endpointOrigin(settings.endpoint)
  const key = input.apiKey ?? (isSaved ? apiKey : null)
  const start = performance.now()
  try {
    const timeoutSeconds = Math.min(TIMEOUT_SECONDS, settings.timeoutSeconds)
    const models = await listModels({ url, apiKey: key, timeoutSeconds }, signal)
    return { ok: true, models, latencyMs: Math.round(performance.now() - start), error: null }
  } catch (error) {
    if (!(error instanceof ChatError)) throw error
    return { ok: false, models: [], latencyMs: null, error: error.message }
  }
}
