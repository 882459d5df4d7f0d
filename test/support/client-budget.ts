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
    name: z.string().optional(),
    isEntry: z.boolean().optional(),
    imports: z.array(z.string()).optional(),
    css: z.array(z.string()).optional(),
  }),
)
type Manifest = z.infer<typeof manifestShape>

const ENTRY = 'index.html'
/** The frame around every screen of somebody who is signed in: a chunk that `client/vite.config.ts` names. */
const SHELL = ['frame']
const LIBRARY = [...SHELL, 'library']

interface Route {
  name: string
  /** What is loaded for it: modules by their paths in the client, chunks that are no module's own by their names. */
  modules: readonly string[]
  /** What is loaded before it and does not count. */
  after: readonly string[]
  limitBytes: number
}

/** What each screen may load (UI.md, 3.5). The player for streams (hls.js) comes only with a stream. */
const ROUTES: readonly Route[] = [
  { name: 'entry and library', modules: [ENTRY, ...LIBRARY], after: [], limitBytes: 65_000 },
  { name: 'viewer', modules: ['src/views/mixed/mixed-viewer.tsx'], after: [ENTRY, ...LIBRARY], limitBytes: 60_000 },
  { name: 'player', modules: ['src/views/player/watch.tsx'], after: [ENTRY, ...SHELL], limitBytes: 60_000 },
  { name: 'manage', modules: ['src/views/manage/manage.tsx'], after: [ENTRY, ...SHELL], limitBytes: 75_000 },
  {
    name: 'library with its viewer open',
    modules: [ENTRY, ...LIBRARY, 'src/views/mixed/mixed-viewer.tsx'],
    after: [],
    limitBytes: 120_000,
  },
  { name: 'scroll-through', modules: [ENTRY, ...SHELL, 'src/views/feed/feed.tsx'], after: [], limitBytes: 120_000 },
  { name: 'player from the start', modules: [ENTRY, ...SHELL, 'src/views/player/watch.tsx'], after: [], limitBytes: 120_000 },
]

/** Where the manifest has a module or a chunk. Throws for one that is not there: its route would weigh nothing. */
const keyOf = (manifest: Manifest, name: string): string => {
  const key = manifest[name] ? name : Object.keys(manifest).find((other) => other.startsWith('_') && manifest[other]?.name === name)
  if (key === undefined) throw new Error(`The built client has no “${name}”.`)
  return key
}

/** Chunks and everything they import statically: what a browser loads for them. */
const closureOf = (manifest: Manifest, names: readonly string[]): Set<string> => {
  const seen = new Set<string>()
  const waiting = names.map((name) => keyOf(manifest, name))
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (seen.has(name)) continue
    seen.add(name)
    waiting.push(...(manifest[name]?.imports ?? []))
  }
  return seen
}

interface ClientSizes {
  entryScriptBytes: number
  styleBytes: number
  /** Scripts of each route of the table above. */
  routeBytes: Record<string, number>
}

/** Gzipped sizes of the built client, by Vite's manifest in `dist/.vite/`. */
export const clientSizes = (dist: string): ClientSizes => {
  const manifest = manifestShape.parse(JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')))
  const sizes = new Map<string, number>()
  const sizeOf = (name: string): number => {
    const size = sizes.get(name) ?? gzipSync(readFileSync(join(dist, name))).length
    sizes.set(name, size)
    return size
  }
  const sum = (names: Iterable<string>): number => [...names].reduce((total, name) => total + sizeOf(name), 0)
  const scriptsOf = (names: readonly string[]): Set<string> =>
    new Set([...closureOf(manifest, names)].flatMap((name) => manifest[name]?.file ?? []).filter((file) => file.endsWith('.js')))
  const entry = [...closureOf(manifest, [ENTRY])].flatMap((name) => manifest[name] ?? [])
  return {
    entryScriptBytes: sum(scriptsOf([ENTRY])),
    styleBytes: sum(new Set(entry.flatMap(({ css = [] }) => css))),
    routeBytes: Object.fromEntries(ROUTES.map(({ name, modules, after }) => [name, sum(scriptsOf(modules).difference(scriptsOf(after)))])),
  }
}

const tooLarge = (what: string, bytes: number, limitBytes: number): string[] =>
  bytes > limitBytes ? [`${what}: ${bytes} bytes gzipped; ${limitBytes} fit.`] : []

/** What is too large, in words; empty where everything fits. */
export const budgetProblems = ({ entryScriptBytes, styleBytes, routeBytes }: ClientSizes): string[] => [
  ...tooLarge("The entry's scripts", entryScriptBytes, ENTRY_SCRIPT_LIMIT_BYTES),
  ...tooLarge("The entry's styles", styleBytes, STYLE_LIMIT_BYTES),
  ...ROUTES.flatMap(({ name, limitBytes }) => tooLarge(`Scripts of “${name}”`, routeBytes[name] ?? 0, limitBytes)),
]
