import { expect, test } from 'bun:test'
import { Hono } from 'hono'
import type { AppEnv } from '../../src/http/app-env.ts'
import { IDLE_TIMEOUT_SECONDS, unhurried } from '../../src/http/unhurried.ts'

test('a connection may be silent without end while work is done for it, and not when that is done, or has failed', async () => {
  const said: unknown[] = []
  const work = async (path: string): Promise<string> => {
    said.push(path)
    if (path === '/failing') throw new Error('no such film')
    return 'done'
  }
  const app = new Hono<AppEnv>()
    .get('*', async (c) => c.text(await unhurried(c, () => work(c.req.path))))
    .onError((_, c) => c.text('failed', 500))
  // Bun's own is asked through a server that tells what it is told: the limit itself takes minutes to pass.
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request, self) => {
      const timeout = (of: Request, seconds: number): void => {
        said.push(seconds)
        self.timeout(of, seconds)
      }
      return app.fetch(request, Object.create(self, { timeout: { value: timeout } }))
    },
  })
  const answers = [await fetch(new URL('/film', server.url)), await fetch(new URL('/failing', server.url))]
  await server.stop(true)
  expect(answers.map(({ status }) => status)).toEqual([200, 500])
  expect(said).toEqual([0, '/film', IDLE_TIMEOUT_SECONDS, 0, '/failing', IDLE_TIMEOUT_SECONDS])
})
