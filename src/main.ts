/** The server: compiled where whoever starts it knows that it is that of these sources (src/start.ts, Dockerfile), else the sources. */

import { join } from 'node:path'

await import(process.env.VITRINE_COMPILED === '1' ? join(import.meta.dir, '../dist/server.js') : './server.ts')
