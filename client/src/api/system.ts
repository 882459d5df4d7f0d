import { type InferResponseType, parseResponse } from 'hono/client'
import { api } from './client.ts'

export type SystemFacts = InferResponseType<typeof api.system.$get, 200>

export const getSystem = (): Promise<SystemFacts> => parseResponse(api.system.$get())

export type DailyBackup = SystemFacts['dailyBackups'][number]

/** The server begins anew with this daily backup. */
export const restoreBackup = (name: string): Promise<unknown> => parseResponse(api.system.restore.$post({ json: { name } }))

/** A snapshot of the index, to be saved under the name that the server gives it. */
export const makeBackup = async (): Promise<{ name: string; blob: Blob }> => {
  const response = await api.system.backup.$post()
  const [, name = 'vitrine.db'] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  return { name, blob: await response.blob() }
}
