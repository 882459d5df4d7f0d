import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { runVisibly } from './installed.ts'

const newest = async (folder: string): Promise<number> => {
  let latest = 0
  for await (const path of new Bun.Glob('**/*').scan({ cwd: folder, dot: true })) {
    if (!path.startsWith('dist/')) latest = Math.max(latest, statSync(join(folder, path)).mtimeMs)
  }
  return latest
}

/** Builds the client where a source of it is newer than the last build. Throws where that fails. */
export const buildClient = async (repository: string): Promise<void> => {
  const at = (path: string): string => join(repository, path)
  if (!existsSync(at('client/index.html'))) return
  const built = existsSync(at('client/dist/index.html')) ? statSync(at('client/dist/index.html')).mtimeMs : 0
  const sources = Math.max(await newest(at('client')), await newest(at('src/domain')), statSync(at('package.json')).mtimeMs)
  if (built >= sources) return
  // What is shipped, also where the runner of the tests says NODE_ENV=test.
  const exitCode = await runVisibly([process.execPath, 'run', '--cwd', repository, 'build'], { NODE_ENV: 'production' })
  if (exitCode !== 0) throw new Error(`The client's build ended with ${exitCode}`)
}

/** The server as `bun run start` and the image have it. Throws where its sources cannot be compiled. */
export const compileServer = async (repository: string): Promise<void> => {
  const exitCode = await runVisibly([process.execPath, join(repository, 'src/compile.ts')])
  if (exitCode !== 0) throw new Error(`The compilation of the server ended with ${exitCode}`)
}
