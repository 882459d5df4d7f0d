import { type InferResponseType, parseResponse } from 'hono/client'
import { api } from './client.ts'
import type { Item } from './types.ts'

const ofLibrary = api['nfo-refresh'].library

/** How far the refresh of a library has come, and what has come of it. */
export type LibraryRefresh = InferResponseType<typeof ofLibrary.$get, 200>

export const refreshFromNfo = async (itemKey: string): Promise<Item> =>
  (await parseResponse(api['nfo-refresh'].$post({ json: { itemKey } }))).item
export const refreshLibraryFromNfo = (libraryId: number): Promise<{ queued: number }> =>
  parseResponse(ofLibrary.$post({ json: { libraryId } }))
export const getLibraryRefresh = (libraryId: number): Promise<LibraryRefresh> =>
  parseResponse(ofLibrary.$get({ query: { libraryId: String(libraryId) } }))
