/** nginx over one folder, with one worker and sendfile, as the limit for what a server can send. */

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/test-server.ts'
import { freePort } from './free-port.ts'
import { childrenOf, cpuSeconds } from './process-stats.ts'

const START_LIMIT_MS = 10_000

interface Nginx extends AsyncDisposable {
  url: string
  /** Of its one worker, since its start. */
  cpuSeconds: () => number
}

const configuration = (folder: string, root: string, port: number): string => `
  ${process.getuid?.() === 0 ? 'user root;' : ''}
  daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
  events { worker_connections 256; }
  http {
    types { application/json json; }
    default_type application/octet-stream;
    access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
    ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/tmp;`).join(' ')}
    server { listen 127.0.0.1:${port}; root ${root}; }
  }`

export const startNginx = async (program: string, root: string): Promise<Nginx> => {
  const folder = await temporaryFolder('nginx')
  await mkdir(join(folder.path, 'tmp'))
  const port = freePort()
  const file = join(folder.path, 'nginx.conf')
  await writeFile(file, configuration(folder.path, root, port))
  const child = Bun.spawn([program, '-c', file, '-p', folder.path], { stdin: 'ignore', stdout: 'ignore', stderr: 'inherit' })
  const url = `http://127.0.0.1:${port}`
  const answers = (): Promise<true | undefined> =>
    fetch(url).then(
      () => true,
      () => undefined,
    )
  await waitFor(answers, START_LIMIT_MS, () => 'nginx does not answer.')
  const [worker = 0] = childrenOf(child.pid)
  return {
    url,
    cpuSeconds: () => cpuSeconds(worker),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await child.exited
      await folder.remove()
    },
  }
}
