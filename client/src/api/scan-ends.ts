/** Beside `scans.ts`, which the first paint carries. */

import { parseResponse } from 'hono/client'
import { api } from './client.ts'
import type { Scan } from './types.ts'

export const getScan = (id: number): Promise<{ scan: Scan }> => parseResponse(api.scans[':id'].$get({ param: { id: String(id) } }))
