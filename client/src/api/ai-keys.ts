/** Names of cached answers about AI work, as in query-keys.ts: few screens ask for any. */

import type { BatchInput } from './ai-batches.ts'
import type { AiJobsQuery } from './ai-tagging.ts'

export const aiKeys = {
  settings: ['ai', 'settings'] as const,
  librarySettings: (libraryId: number) => ['ai', 'settings', libraryId] as const,
  endpoint: (endpoint: string) => ['ai', 'endpoint', endpoint] as const,
  ocr: (libraryId?: number) => ['ai', 'ocr', libraryId] as const,
  fields: (itemKey: string) => ['ai', 'fields', itemKey] as const,
  previewItems: (libraryId: number | undefined, q: string) => ['ai', 'preview-items', libraryId, q] as const,
  preview: (itemKey: string, activity: string, prompt: object) => ['ai', 'preview', itemKey, activity, prompt] as const,
  /** Everything that a batch changes of the queue. */
  queue: ['ai', 'queue'] as const,
  queueState: ['ai', 'queue', 'state'] as const,
  jobs: (query: AiJobsQuery) => ['ai', 'queue', 'jobs', query] as const,
  runs: (libraryId: number | undefined) => ['ai', 'queue', 'runs', libraryId] as const,
  suggestions: ['ai', 'queue', 'suggestions'] as const,
  failures: (runId: number) => ['ai', 'queue', 'failures', runId] as const,
  eligible: (batch: BatchInput) => ['ai', 'queue', 'eligible', batch] as const,
}
