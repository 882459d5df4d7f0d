/** `bun run bench [name …] [--rounds N]`: measures Vitrine against a peer or a limit in the same run; without a name it lists the names. */

import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compileServer } from '../support/built.ts'
import type { Bench } from './bench.ts'
import { formatTable, ratioOf, verdictOf } from './table.ts'

const REPOSITORY = join(import.meta.dir, '../..')
const RESULTS = join(REPOSITORY, 'bench-results')
const LEAST_ROUNDS = 3

interface Entry {
  about: string
  load: () => Promise<Bench>
}

/** Loaded by name: a benchmark's packages are not to weigh on the others. */
const BENCHES: Record<string, Entry> = {
  scan: {
    about: 'first scan of 100,000 files, against minidlna and find | sqlite3',
    load: async () => (await import('./scan.ts')).scanBench,
  },
  rescan: { about: '100,000 unchanged files, against minidlna and find', load: async () => (await import('./rescan.ts')).rescanBench },
  'scan-1m': { about: '1,000,000 files, against 100,000', load: async () => (await import('./scan-1m.ts')).scan1mBench },
  browse: {
    about: 'a page anywhere in 700,000 items, against nginx sending the same bytes',
    load: async () => (await import('./browse.ts')).browseBench,
  },
  filter: { about: 'a page of what carries several tags, against INTERSECT', load: async () => (await import('./filter.ts')).filterBench },
  facets: { about: 'what every tag would leave, against GROUP BY', load: async () => (await import('./facets.ts')).facetsBench },
  search: { about: '1,000,000 titles and 100,000 texts, against LIKE', load: async () => (await import('./search.ts')).searchBench },
  files: { about: '1 GiB whole and in ranges, against nginx with sendfile', load: async () => (await import('./files.ts')).filesBench },
  thumbnails: {
    about: '300 photographs in three sizes, against vipsthumbnail',
    load: async () => (await import('./thumbnails.ts')).thumbnailsBench,
  },
  poster: { about: 'a frame of a video, against ffmpegthumbnailer', load: async () => (await import('./poster.ts')).posterBench },
  zip: { about: 'a .app bundle as a zip, against zip -0 in a pipe', load: async () => (await import('./zip.ts')).zipBench },
  playback: {
    about: 'first frame in Chromium (direct, remux, transcode), against ffmpeg writing its first piece',
    load: async () => (await import('./playback.ts')).playbackBench,
  },
  pages: { about: 'a page of a 300 MB cbz, first and later, against unzip -p', load: async () => (await import('./pages.ts')).pagesBench },
  queue: {
    about: '10,000 jobs of the AI queue, against asking the same model without it',
    load: async () => (await import('./queue.ts')).queueBench,
  },
  import: {
    about: '100,000 tag rows, against one transaction of prepared statements',
    load: async () => (await import('./import.ts')).importBench,
  },
  ocr: { about: 'ten pages of text, against the tesseract program with one thread', load: async () => (await import('./ocr.ts')).ocrBench },
  start: { about: 'start-up with 1,000,000 items, against the least server', load: async () => (await import('./start.ts')).startBench },
}

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const runOne = async (name: string, bench: Bench, rounds: number): Promise<void> => {
  const load = loadavg()
  const startedAt = new Date()
  say(`\n${name}: ${rounds} rounds, load ${load[0]?.toFixed(1)} on ${availableParallelism()} cores`)
  const rows = await bench({ rounds, say })
  const minutes = ((Date.now() - startedAt.getTime()) / 60_000).toFixed(1)
  say(`\n${formatTable(rows)}\n${minutes} minutes, load at the end ${loadavg()[0]?.toFixed(1)}`)
  await mkdir(RESULTS, { recursive: true })
  const result = {
    name,
    startedAt: startedAt.toISOString(),
    rounds,
    machine: { cores: availableParallelism(), processor: cpus()[0]?.model, loadBefore: load, loadAfter: loadavg(), bun: Bun.version },
    rows: rows.map((row) => ({ ...row, ratio: ratioOf(row), verdict: verdictOf(row) })),
  }
  await writeFile(join(RESULTS, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`)
}

const listNames = (): void => {
  const width = Math.max(...Object.keys(BENCHES).map((name) => name.length))
  say('bun run bench NAME … [--rounds N]\n')
  for (const [name, { about }] of Object.entries(BENCHES)) say(`${name.padEnd(width)}  ${about}`)
}

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: String(LEAST_ROUNDS) } },
  allowPositionals: true,
})
const rounds = Number(values.rounds)
const unknown = positionals.filter((name) => !Object.hasOwn(BENCHES, name))
if (unknown.length > 0 || !Number.isInteger(rounds) || rounds < 1) {
  process.stderr.write(unknown.length > 0 ? `There is no benchmark ${unknown.join(', ')}.\n` : '--rounds must be a whole number from 1.\n')
  process.exit(2)
}
if (positionals.length === 0) listNames()
else await compileServer(REPOSITORY)
process.env.VITRINE_COMPILED = '1'
for (const name of positionals) {
  const entry = BENCHES[name]
  if (entry) await runOne(name, await entry.load(), rounds)
}
