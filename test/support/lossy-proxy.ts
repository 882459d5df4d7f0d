/** Stands between a server and its database: of an answer that is lost here the work was done all the same. */
export interface LossyProxy extends AsyncDisposable {
  url: string
  /** Loses the next answer to a request with this text; `andMore`: and after it the database cannot be reached, until `hear`. */
  lose: (text: string, andMore?: boolean) => void
  hear: () => void
}

const LOST = (): Response => new Response('The answer was lost.', { status: 502 })

export const startLossyProxy = (target: string): LossyProxy => {
  let wanted: string | undefined
  let isAwayThen = false
  let isAway = false
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { method, headers } = request
      const body = method === 'POST' ? await request.text() : null
      if (isAway) return LOST()
      const answer = await fetch(`${target}${new URL(request.url).pathname}`, { method, headers, body })
      const text = await answer.text()
      if (wanted === undefined || !body?.includes(wanted)) return new Response(text, { status: answer.status, headers: answer.headers })
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
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}
