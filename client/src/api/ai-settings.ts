import { type InferResponseType, parseResponse } from 'hono/client'
import type { AiActivity } from '../../../src/domain/ai-activity.ts'
import type { AiOverrides, AiSettings } from '../../../src/domain/ai-settings.ts'
import { aiKeys } from './ai-keys.ts'
import { api } from './client.ts'

const route = api['ai-settings']

export type GlobalAiSettings = InferResponseType<typeof route.$get, 200>
export type LibraryAiSettings = InferResponseType<(typeof route.library)[':libraryId']['$get'], 200>
export type EndpointTest = InferResponseType<typeof route.test.$post, 200>

interface PreviewQuery {
  itemKey: string
  activity: AiActivity
  /** What is not saved yet; empty parts are as saved. */
  prompt: { system: string; instructions: string }
}

const param = (libraryId: number) => ({ libraryId: String(libraryId) })

export const getAiSettings = (): Promise<GlobalAiSettings> => parseResponse(route.$get())
/** Without `apiKey` the saved one stays; an empty one removes it. */
export const replaceAiSettings = (json: AiSettings & { apiKey?: string }): Promise<GlobalAiSettings> => parseResponse(route.$put({ json }))
export const getLibraryAiSettings = (libraryId: number): Promise<LibraryAiSettings> =>
  parseResponse(route.library[':libraryId'].$get({ param: param(libraryId) }))
export const replaceLibraryAiSettings = (libraryId: number, overrides: AiOverrides): Promise<LibraryAiSettings> =>
  parseResponse(route.library[':libraryId'].$put({ param: param(libraryId), json: { overrides } }))
/** The saved endpoint and key. */
export const testAiEndpoint = (): Promise<EndpointTest> => parseResponse(route.test.$post({ json: {} }))
/** Those of a library, or what holds where it sets nothing itself. */
export const getOcrSettings = (libraryId?: number) =>
  parseResponse(route.ocr.$get({ query: libraryId === undefined ? {} : { libraryId: String(libraryId) } }))
export const previewPrompt = (json: PreviewQuery) => parseResponse(route.preview.$post({ json }))

export const aiSettingsQuery = { queryKey: aiKeys.settings, queryFn: getAiSettings }
export const libraryAiSettingsQuery = (libraryId: number) => ({
  queryKey: aiKeys.librarySettings(libraryId),
  queryFn: () => getLibraryAiSettings(libraryId),
})
