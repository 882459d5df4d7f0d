/** `bun run check`: format, lint, import directions, types, migrations, size of the client, side by side. Each step says its time; one red step fails it. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildClient } from './built.ts'
import { installPackages } from './installed.ts'

const REPOSITORY = join(import.meta.dir, '../..')
const at = (path: string): string => join(REPOSITORY, path)

interface Outcome {
  isGood: boolean
  output: string
}

interface Step {
  name: string
  run: () => Promise<Outcome>
}

const program = async (...command: string[]): Promise<Outcome> => {
  const child = Bun.spawn([at(`node_modules/.bin/${command[0]}`), ...command.slice(1)], { cwd: REPOSITORY, stdout: 'pipe', stderr: 'pipe' })
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { isGood: (await child.exited) === 0, output: output + errors }
}

const problems = (found: string[]): Outcome => ({ isGood: found.length === 0, output: found.join('\n') })

/** Words that say that something was left for later. */
const UNFINISHED = /\b(?:TODO|FIXME|XXX|HACK)\b/

const unfinishedWords = async (): Promise<Outcome> => {
  const found: string[] = []
  for (const folder of ['src', 'client/src'].filter((name) => existsSync(at(name)))) {
    for await (const path of new Bun.Glob('**/*.{ts,tsx,css}').scan(at(folder))) {
      const lines = (await Bun.file(at(`${folder}/${path}`)).text()).split('\n')
      found.push(...lines.flatMap((line, index) => (UNFINISHED.test(line) ? [`${folder}/${path}:${index + 1}: ${line.trim()}`] : [])))
    }
  }
  return problems(found)
}

const migrations = async (): Promise<Outcome> => {
  const { journalProblems } = await import('./migration-journal.ts')
  return problems(journalProblems(at('drizzle')))
}

const clientSize = async (): Promise<Outcome> => {
  await buildClient(REPOSITORY)
  const { budgetProblems, clientSizes } = await import('./client-budget.ts')
  const sizes = clientSizes(at('client/dist'))
  const outcome = problems(budgetProblems(sizes))
  return {
    ...outcome,
    output:
      outcome.output ||
      [
        `entry ${sizes.entryScriptBytes} bytes of scripts, ${sizes.styleBytes} of styles, gzipped`,
        ...Object.entries(sizes.routeBytes).map(([name, bytes]) => `${name} ${bytes}`),
      ].join('\n'),
  }
}

/** One checker a program: of the four that tsc has by itself each looks anew at much of what the others know, for twice the processor time. */
const types = (project: string): Promise<Outcome> => program('tsc', '--noEmit', '--checkers', '1', '-p', project)

const steps: Step[] = [
  { name: 'format, lint, import directions', run: () => program('biome', 'check', '--error-on-warnings', '--max-diagnostics=50', '.') },
  { name: 'types of the server and the tests', run: () => types('.') },
  ...(existsSync(at('client/tsconfig.json')) ? [{ name: 'types of the client', run: () => types('client') }] : []),
  { name: 'unfinished words', run: unfinishedWords },
  ...(existsSync(at('drizzle/meta/_journal.json')) ? [{ name: 'order of the migrations', run: migrations }] : []),
  ...(existsSync(at('client/index.html')) ? [{ name: 'size of the client', run: clientSize }] : []),
]

await installPackages(REPOSITORY)
const start = performance.now()
const running = steps.map(async ({ name, run }) => {
  const outcome = await run()
  return { name, outcome, time: `${((performance.now() - start) / 1000).toFixed(1)} s` }
})
let isGood = true
for (const { name, outcome, time } of await Promise.all(running)) {
  process.stdout.write(`${outcome.isGood ? 'ok  ' : 'FAIL'} ${name} (${time})\n`)
  if (!outcome.isGood || name === 'size of the client') process.stdout.write(`${outcome.output.trimEnd()}\n`)
  isGood &&= outcome.isGood
}
process.exit(isGood ? 0 : 1)
