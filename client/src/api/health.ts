import { ApiProblem, apiUrl, request } from './http.ts'

/** On a line that is full of pictures an answer takes its time. */
const ANSWER_LIMIT_MS = 10_000

/** Whether the server answers, and not only the proxy before it. */
export const isServerThere = async (): Promise<boolean> => {
  try {
    await request(apiUrl('health'), { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_LIMIT_MS) })
  } catch (error) {
    return error instanceof ApiProblem && error.status > 0 && error.status < 502
  }
  return true
}
