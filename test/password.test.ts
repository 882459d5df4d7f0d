import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './support/temporary-folder.ts'
import { startServer } from './support/test-server.ts'

const REPOSITORY = join(import.meta.dir, '..')

const run = async (args: string[], env: Record<string, string> = {}) => {
  const child = Bun.spawn([process.execPath, join(REPOSITORY, 'src/password.ts'), ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, exitCode] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
  return { exitCode, stdout, stderr }
}

const signIn = async (url: string, username: string, password: string): Promise<Response> =>
  fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })

test('gives the only administrator a new password while the server runs, and ends what was signed in with the old one', async () => {
  await using folder = await temporaryFolder('password')
  const admin = { username: 'Änne', password: 'the one that is lost' }
  await using server = await startServer({ dataDir: folder.path, admin })
  const cookie = (await signIn(server.url, admin.username, admin.password)).headers.get('set-cookie')?.split(';')[0] ?? ''
  const { exitCode, stdout, stderr } = await run(['änne', '--data', folder.path])
  expect([exitCode, stderr]).toEqual([0, ''])
  const [, password = ''] = /^The password of Änne is (\S{16}) from now on/.exec(stdout) ?? []
  expect((await signIn(server.url, admin.username, admin.password)).status).toBe(401)
  expect((await signIn(server.url, admin.username, password)).status).toBe(200)
  // The server believes a session for two seconds.
  await Bun.sleep(2100)
  expect((await fetch(`${server.url}/api/auth/me`, { headers: { cookie } })).status).toBe(401)
})

test('says what is wrong, and makes nothing', async () => {
  await using folder = await temporaryFolder('password')
  const server = await startServer({ dataDir: folder.path, admin: { username: 'anna', password: 'a long password' } })
  await server.stop()
  const nobody = { exitCode: 1, stdout: '', stderr: 'There is nobody called bert. There are: anna.\n' }
  // What else is set, as in the file `.env` of the image, is nothing to it.
  expect(await run(['bert', `--data=${folder.path}`], { ADMIN_PASSWORD: 'half' })).toEqual(nobody)
  const elsewhere = join(folder.path, 'nowhere')
  expect(await run(['anna'], { DATA_DIR: elsewhere })).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/^There is no database /),
  })
  expect(existsSync(elsewhere)).toBe(false)
  for (const args of [[], ['--data', folder.path], ['-h']])
    expect(await run(args)).toEqual({ exitCode: 2, stdout: '', stderr: 'Usage: bun run password NAME [--data DIR]\n' })
  expect((await run(['anna', 'bert', '--data', folder.path])).exitCode).toBe(2)
})
