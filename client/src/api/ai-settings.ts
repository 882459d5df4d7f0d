import { parseResponse } from 'hono/client'
import type { AiActivity } from '../../../src/domain/ai-activity.ts'
import type { AiOverrides, AiSettings, OcrMode } from '../../../src/domain/ai-settings.ts'
import { api } from './client.ts'

export type GlobalAiSettings = AiSettings & { apiKeySet: boolean }

export interface LibraryAiSettings {
  overrides: AiOverrides
  effective: AiSettings
}

export interface EndpointTest {
  ok: boolean
  models: string[]
  latencyMs: number | null
  error: string | null
}

interface OcrSettings {
  enabled: boolean
  ocrMode: OcrMode
  ocrLanguages: string
  availableLanguages: string[]
}

interface PromptPreview {
  model: string
  maxTokens: number
  messages: { role: 'system' | 'user'; text: string }[]
  pictureSources: number
}

interface PreviewQuery {
  itemKey: string
  activity: AiActivity
  /** What is not saved yet; empty parts are as saved. */
  prompt: { system: string; instructions: string }
}

const param = (libraryId: number) => ({ libraryId: String(libraryId) })

export const getAiSettings = (): Promise<GlobalAiSettings> => parseResponse(api['ai-settings'].$get())
/** Without `apiKey` the saved one stays; an empty one removes it. */
export const replaceAiSettings = (json: AiSettings & { apiKey?: string }): Promise<GlobalAiSettings> =>
  parseResponse(api['ai-settings'].$put({ json }))
export const getLibraryAiSettings = (libraryId: number): Promise<LibraryAiSettings> =>
  parseResponse(api['ai-settings'].library[':libraryId'].$get({ param: param(libraryId) }))
export const replaceLibraryAiSettings = (libraryId: number, overrides: AiOverrides): Promise<LibraryAiSettings> =>
  parseResponse(api['ai-settings'].library[':libraryId'].$put({ param: param(libraryId), json: { overrides } }))
/** The saved endpoint and key where nothing else is named. */
export const testAiEndpoint = (json: { endpoint?: string; apiKey?: string } = {}): Promise<EndpointTest> =>
  parseResponse(api['ai-settings'].test.$post({ json }))
export const getOcrSettings = (): Promise<OcrSettings> => parseResponse(api['ai-settings'].ocr.$get({ query: {} }))
export const previewPrompt = (json: PreviewQuery): Promise<PromptPreview> => parseResponse(api['ai-settings'].preview.$post({ json }))
