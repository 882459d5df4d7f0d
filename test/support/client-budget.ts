import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'

/** Size limits of the built client (UI.md, 3.5), in bytes after gzip. */
const ENTRY_SCRIPT_LIMIT_BYTES = 45_000
const STYLE_LIMIT_BYTES = 15_000

const manifestShape = z.record(
  z.string(),
  z.object({
    file: z.string(),
    isEntry: z.boolean().optional(),
    imports: z.array(z.string()).optional(),
    css: z.array(z.string()).optional(),
  }),
)
type Manifest = z.infer<typeof manifestShape>

/** The entry's chunk and everything it imports statically: what a browser loads before the first view. */
const entryClosure = (manifest: Manifest): Set<string> => {
  const seen = new Set<string>()
  const waiting = Object.keys(manifest).filter((name) => manifest[name]?.isEntry)
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (seen.has(name)) continue
    seen.add(name)
    waiting.push(...(manifest[name]?.imports ?? []))
  }
  return seen
}

export interface ClientSizes {
  entryScriptBytes: number
  styleBytes: number
}

/** Gzipped sizes of the entry's scripts and styles, by Vite's manifest in `dist/.vite/`. */
export const clientSizes = (dist: string): ClientSizes => {
  const manifest = manifestShape.parse(JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')))
  const sizeOf = (names: Iterable<string>): number =>
    [...names].reduce((sum, name) => sum + gzipSync(readFileSync(join(dist, name))).length, 0)
  const chunks = [...entryClosure(manifest)].flatMap((name) => manifest[name] ?? [])
  const scripts = new Set(chunks.map(({ file }) => file).filter((file) => file.endsWith('.js')))
  return { entryScriptBytes: sizeOf(scripts), styleBytes: sizeOf(new Set(chunks.flatMap(({ css = [] }) => css))) }
}

/** What is too large, in words; empty where everything fits. */
export const budgetProblems = ({ entryScriptBytes, styleBytes }: ClientSizes): string[] => [
  ...(entryScriptBytes > ENTRY_SCRIPT_LIMIT_BYTES
    ? [`The entry's scripts are ${entryScriptBytes} bytes gzipped; ${ENTRY_SCRIPT_LIMIT_BYTES} fit.`]
    : []),
  ...(styleBytes > STYLE_LIMIT_BYTES ? [`The entry's styles are ${styleBytes} bytes gzipped; ${STYLE_LIMIT_BYTES} fit.`] : []),
]
