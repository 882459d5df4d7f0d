/** `bun src/compile.ts`: the server and its threads as bytecode in `dist`. Most of what a start from the sources takes is reading them. */

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { THREADS } from './jobs/thread-url.ts'

const COMPILED = join(import.meta.dir, '../dist')
/** Code for this machine, or files that are looked for beside the code. */
const AS_INSTALLED = ['heic-decode', 'libsql', 'node-unrar-js', 'sharp', 'swagger-ui-dist', 'tesseract.js']

/** Whatever a source looks for beside itself is found where that source lies now: what is compiled cannot be moved. */
const { outputs } = await Bun.build({
  entrypoints: ['server', ...THREADS.map((name) => `workers/${name}`)].map((name) => join(import.meta.dir, `${name}.ts`)),
  root: import.meta.dir,
  target: 'bun',
  // Bytecode exists for this form alone.
  format: 'cjs',
  bytecode: true,
  external: AS_INSTALLED,
  define: { COMPILED_THREADS: JSON.stringify(join(COMPILED, 'workers')) },
})

/** At no moment is a file half there or gone: a server that runs begins threads, and another start may compile as well. */
for (const output of outputs) {
  const made = join(COMPILED, output.path)
  const fresh = `${made}.${process.pid}`
  mkdirSync(dirname(made), { recursive: true })
  try {
    writeFileSync(fresh, new Uint8Array(await output.arrayBuffer()))
    renameSync(fresh, made)
  } finally {
    rmSync(fresh, { force: true })
  }
}
