/** The client of a database on another machine, which may go without a word. */

import { type Client, type InArgs, type InStatement, LibsqlError } from '@libsql/client/sqlite3'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { errorMessage } from '../domain/thrown-error.ts'

const REQUESTS_AT_ONCE = 20

export interface AnswerLimits {
  /** Of a question, which can be asked again. */
  readMs: number
  /**
   * Of everything: nobody knows of a change without an answer whether it was kept, so that it waits for longer than the largest one takes,
   * a file of tags over a slow line.
   */
  requestMs: number
  /** Of what is asked after one that was not answered, until one is: each of the changes that wait in turn would wait as long again. */
  silentMs: number
}

/** Without a limit a machine that has lost its power is waited for for minutes on end. */
const LIMITS: AnswerLimits = { readMs: 30_000, requestMs: 60_000, silentMs: 5_000 }

/** What a database says is wrong with a request, by codes of its own. */
const BAD_REQUEST = 400

const gatewayAnswer = z.union([
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ error: z.string() }).transform(({ error }) => error),
])

/** The sentence in it, or all of it where it has another shape. */
const saidIn = (text: string): string => {
  try {
    return gatewayAnswer.parse(JSON.parse(text))
  } catch {
    return text
  }
}

/** As what the database itself says where it has failed (`isAway`). */
class Unreached extends Error {
  readonly code = 'SERVER_ERROR'
}

/**
 * What is no answer of a database, such as half of one, the page of a portal, or what a gateway says in its own JSON: as one that says
 * it has failed (`isAway`).
 */
const fetchAnswer = async (request: Request, signal: AbortSignal | null): Promise<Response> => {
  const response = await fetch(request, { signal }).catch((error: unknown) => {
    throw new Unreached(errorMessage(error), { cause: error })
  })
  const { ok, status, headers } = response
  // The client would take it for an answer of the database, with a code that nobody knows.
  if (!ok && status !== BAD_REQUEST && headers.get('Content-Type')?.startsWith('application/json'))
    return new Response(saidIn(await response.text()), { status, headers: { 'Content-Type': 'text/plain' } })
  const json = response.json.bind(response)
  response.json = () =>
    json().catch((error: unknown) => {
      throw new LibsqlError(
        'The database gave no answer that can be read.',
        'SERVER_ERROR',
        undefined,
        undefined,
        error instanceof Error ? error : undefined,
      )
    })
  return response
}

/** As `work`, or as a database that is away. */
const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Unreached(`The database gave no answer for ${ms} ms.`)), ms)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

interface Remote {
  client: Client
  expectAnswers(limits?: AnswerLimits): void
}

/** The clients for servers are read only where there is one: fifty files. */
export const openRemote = async ({
  databaseUrl,
  databaseAuthToken,
}: Pick<Config, 'databaseUrl' | 'databaseAuthToken'>): Promise<Remote> => {
  let limits: AnswerLimits | undefined
  let isSilent = false
  const fetchInTime = async (request: Request): Promise<Response> => {
    const signal = limits ? AbortSignal.timeout(isSilent ? limits.silentMs : limits.requestMs) : null
    try {
      const response = await fetchAnswer(request, signal)
      isSilent = false
      return response
    } catch (error) {
      isSilent ||= signal?.aborted === true
      throw error
    }
  }
  const { createClient } = await import('@libsql/client')
  const client = createClient({
    url: databaseUrl,
    authToken: databaseAuthToken ?? undefined,
    concurrency: REQUESTS_AT_ONCE,
    fetch: fetchInTime,
  })
  const execute = client.execute.bind(client)
  client.execute = (statement: InStatement, args?: InArgs) => {
    const answer = typeof statement === 'string' ? execute(statement, args) : execute(statement)
    return limits ? within(limits.readMs, answer) : answer
  }
  return {
    client,
    expectAnswers: (given = LIMITS) => {
      limits = given
    },
  }
}
