import { type InferResponseType, parseResponse } from 'hono/client'
import { api } from './client.ts'

export type TagMapping = InferResponseType<typeof api.tags.mappings.$get, 200>['mappings'][number]

export const listMappings = async (): Promise<TagMapping[]> => (await parseResponse(api.tags.mappings.$get())).mappings
/** These and no others. */
export const replaceMappings = async (mappings: readonly { source: string; tagId: number }[]): Promise<TagMapping[]> =>
  (await parseResponse(api.tags.mappings.$put({ json: { mappings: [...mappings] } }))).mappings
