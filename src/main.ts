/** The server: compiled where whoever starts it knows that it is that of these sources (src/start.ts, Dockerfile), else the sources. */

import { join } from 'node:path'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** Process 1 of a container gets no signal that it does not listen for, and there is nothing to stop in order yet. */
const leave = (): never => process.exit(0)

for (const signal of SIGNALS) process.on(signal, leave)
await import(process.env.VITRINE_COMPILED === '1' ? join(import.meta.dir, '../dist/server.js') : './server.ts')
// It listens itself by now.
for (const signal of SIGNALS) process.off(signal, leave)
