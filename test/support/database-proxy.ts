/** Stands between a server and its database, and makes what seldom happens happen. */
export interface DatabaseProxy extends AsyncDisposable {
  url: string
  /**
   * Loses the next answer to a request with this text, of which the work is done all the same; `andMore`: and after it the
   * database cannot be reached, until `hear`.
   */
  lose: (text: string, andMore?: boolean) => void
  hear: () => void
  /** Gives every request this answer, as if all were well where no status says otherwise, until `hear`. */
  answer: (text: string, status?: number) => void
  /** Keeps the next request with this text back; resolves once it has come, with what lets it through. */
  hold: (text: string) => Promise<() => void>
}

interface Held {
  text: string
  hasCome: (release: () => void) => void
}

const LOST = (): Response => new Response('The answer was lost.', { status: 502 })

export const startDatabaseProxy = (target: string): DatabaseProxy => {
  let wanted: string | undefined
  let isAwayThen = false
  let isAway = false
  let answer: { text: string; status: number } | undefined
  let held: Held | undefined
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    fetch: async (request) => {
      const { method, headers } = request
      const body = method === 'POST' ? await request.text() : null
      if (isAway) return LOST()
      if (answer) return new Response(answer.text, { status: answer.status, headers: { 'Content-Type': 'application/json' } })
      if (held && body?.includes(held.text)) {
        const { hasCome } = held
        held = undefined
        await new Promise<void>((resolve) => hasCome(resolve))
      }
      const told = await fetch(`${target}${new URL(request.url).pathname}`, { method, headers, body })
      const text = await told.text()
      if (wanted === undefined || !body?.includes(wanted)) return new Response(text, { status: told.status, headers: told.headers })
      isAway = isAwayThen
      wanted = undefined
      return LOST()
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    lose: (text, andMore = false) => {
      wanted = text
      isAwayThen = andMore
    },
    hear: () => {
      isAway = false
      isAwayThen = false
      answer = undefined
    },
    answer: (text, status = 200) => {
      answer = { text, status }
    },
    hold: (text) => new Promise((hasCome) => (held = { text, hasCome })),
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}
