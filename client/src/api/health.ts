import { ApiProblem, apiUrl, request } from './http.ts'

/** On a line that is full of pictures an answer takes its time. */
const ANSWER_LIMIT_MS = 10_000

/** Whether the server answers, and not only the proxy before it; with an address, whether it still has that. */
export const isServerThere = async (url = apiUrl('health')): Promise<boolean> => {
  try {
    await request(url, { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_LIMIT_MS) })
  } catch (error) {
    return error instanceof ApiProblem && ![0, 404].includes(error.status) && error.status < 502
  }
  return true
}
