/** The server with its threads, compiled once for a run of the tests: most of what a start costs is reading the sources. */

import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const REPOSITORY = join(import.meta.dir, '../..')
const SOURCES = join(REPOSITORY, 'src')
/** In the repository, so that the packages are found from there. */
const BUILT = join(REPOSITORY, 'test-results/server')
/** Code for this machine, or files that are looked for beside the code. */
const AS_INSTALLED = ['heic-decode', 'libsql', 'node-unrar-js', 'sharp', 'swagger-ui-dist', 'tesseract.js']

/** A thread, named where it is started. */
const THREAD = /new URL\('\.\.\/workers\/([a-z-]+)\.ts', import\.meta\.url\)/g

/** Whatever a source looks for beside itself stays where it is; its threads are those that are built with it. */
const placed = (source: string, path: string): string =>
  source
    .replaceAll(THREAD, (_, name: string) => `new URL(${JSON.stringify(pathToFileURL(join(BUILT, 'workers', `${name}.js`)).href)})`)
    .replaceAll('import.meta.resolve(', `((name) => Bun.pathToFileURL(Bun.resolveSync(name, ${JSON.stringify(dirname(path))})).href)(`)
    .replaceAll('import.meta.dir', JSON.stringify(dirname(path)))
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
    // Of what is a program of its own, too, only the functions are wanted.
    .replaceAll('import.meta.main', 'false')

const inPlace: Bun.BunPlugin = {
  name: 'in place',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => ({ contents: placed(await Bun.file(path).text(), path), loader: 'ts' }))
  },
}

/** Answers what to start in the place of `src/main.ts`. Throws where the sources cannot be built. */
export const buildServer = async (): Promise<string> => {
  rmSync(BUILT, { recursive: true, force: true })
  const threads = [...new Bun.Glob('workers/*.ts').scanSync(SOURCES)]
  await Bun.build({
    entrypoints: ['main.ts', ...threads].map((path) => join(SOURCES, path)),
    root: SOURCES,
    outdir: BUILT,
    target: 'bun',
    // What Bun keeps beside it, compiled, exists for this form alone.
    format: 'cjs',
    bytecode: true,
    external: AS_INSTALLED,
    plugins: [inPlace],
  })
  return join(BUILT, 'main.js')
}
