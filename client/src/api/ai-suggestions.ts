import { type InferResponseType, parseResponse } from 'hono/client'
import { api } from './client.ts'

const route = api['ai-tagging'].suggestions

export type AiSuggestion = InferResponseType<typeof route.$get, 200>['suggestions'][number]
/** Whose other name it becomes, or the category where a tag of that name is made. */
type SuggestionTarget = { tagId: number } | { categoryId: number }

export const listSuggestions = async (): Promise<AiSuggestion[]> => (await parseResponse(route.$get({ query: {} }))).suggestions
export const acceptSuggestion = (name: string, target: SuggestionTarget) => parseResponse(route.$post({ json: { name, ...target } }))
export const dismissSuggestion = (name: string) => route.$delete({ query: { name } })
