/** The minimal server as a process, for what Vitrine costs more than its parts. */

import { join } from 'node:path'
import { waitFor } from '../support/test-server.ts'
import { freePort } from './free-port.ts'

const START_LIMIT_MS = 10_000

interface MinimalServer extends AsyncDisposable {
  url: string
  pid: number
}

export const startMinimalServer = async (dataDir: string, folder = ''): Promise<MinimalServer> => {
  const port = freePort()
  const url = `http://127.0.0.1:${port}`
  const command = [process.execPath, join(import.meta.dir, 'minimal-server.ts'), join(dataDir, 'vitrine.db'), folder]
  const env = { ...process.env, PORT: String(port) }
  const child = Bun.spawn(command, { env, stdin: 'ignore', stdout: 'ignore', stderr: 'inherit' })
  const answers = (): Promise<true | undefined> =>
    fetch(`${url}/api/health`).then(
      () => true,
      () => undefined,
    )
  await waitFor(answers, START_LIMIT_MS, () => 'The minimal server does not answer.')
  return {
    url,
    pid: child.pid,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}
