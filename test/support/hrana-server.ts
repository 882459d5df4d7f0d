import { join } from 'node:path'

export interface HranaServer {
  url: string
  /** Ends the process and waits for its end. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Serves the database file over HTTP from a process of its own; `token` is what clients must bring, if anything. */
export const startHranaServer = async (file: string, token = ''): Promise<HranaServer> => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'hrana-process.ts'), file, token], { stdout: 'pipe', stderr: 'inherit' })
  const reader = child.stdout.getReader()
  const { value } = await reader.read()
  reader.releaseLock()
  const port = Number(new TextDecoder().decode(value))
  if (!(port > 0)) throw new Error('The libSQL server of the tests did not start.')
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL')
    await child.exited
  }
  return { url: `http://127.0.0.1:${port}`, stop, [Symbol.asyncDispose]: stop }
}
