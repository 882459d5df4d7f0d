/** `bun src/compile.ts`: the server and its threads as bytecode in `dist`. Most of what a start from the sources takes is reading them. */

import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { THREADS } from './jobs/thread-url.ts'

const COMPILED = join(import.meta.dir, '../dist')
/** A server that runs has its threads until the new ones are there. */
const FRESH = `${COMPILED}.new`
/** Code for this machine, or files that are looked for beside the code. */
const AS_INSTALLED = ['heic-decode', 'libsql', 'node-unrar-js', 'sharp', 'swagger-ui-dist', 'tesseract.js']

rmSync(FRESH, { recursive: true, force: true })
/** Whatever a source looks for beside itself is found where that source lies now: what is compiled cannot be moved. */
await Bun.build({
  entrypoints: ['server', ...THREADS.map((name) => `workers/${name}`)].map((name) => join(import.meta.dir, `${name}.ts`)),
  root: import.meta.dir,
  outdir: FRESH,
  target: 'bun',
  // Bytecode exists for this form alone.
  format: 'cjs',
  bytecode: true,
  external: AS_INSTALLED,
  define: { COMPILED_THREADS: JSON.stringify(join(COMPILED, 'workers')) },
})
rmSync(COMPILED, { recursive: true, force: true })
renameSync(FRESH, COMPILED)
