/** Linux gives outgoing connections ports from 32,768: one that is asked before its server listens could connect to itself. */
const LOWEST = 20_000
const COUNT = 10_000

const isFree = (port: number): boolean => {
  try {
    Bun.listen({ hostname: '127.0.0.1', port, socket: { data: () => undefined } }).stop(true)
    return true
  } catch {
    return false
  }
}

/** A port of the loopback that nobody has right now. */
export const freePort = (): number => {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * COUNT)
    if (isFree(port)) return port
  }
}
