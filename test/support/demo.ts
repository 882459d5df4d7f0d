/** `bun run demo [flags of the server]`: makes a household's collection in `demo/media` once, then serves it. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { LIBRARY_TYPES } from '../../src/domain/item-type.ts'
import { installPackages } from './installed.ts'

const REPOSITORY = join(import.meta.dir, '../..')
const ADMIN = { username: 'demo', password: 'demodemo' }
const LIBRARY_NAMES = { games: 'Games', movies: 'Films', tv: 'Series', manga: 'Manga', mixed: 'Family album' } as const

await installPackages(REPOSITORY)
const { makeDemoCollection } = await import('./demo-collection.ts')

const say = (line: string): boolean => process.stdout.write(`${line}\n`)
const args = process.argv.slice(2)

say(`Name: ${ADMIN.username}  password: ${ADMIN.password}`)
/** What is given goes before what the demo would take. */
const withDefault = (flag: string, value: string): string[] =>
  args.some((arg) => arg === flag || arg.startsWith(`${flag}=`)) ? [] : [flag, value]

const media = join(REPOSITORY, 'demo/media')
if (!existsSync(media)) say('Making the collection in demo/media, once: about a minute and a half.')
const { libraries } = await makeDemoCollection(media, { size: 'household' })

const child = Bun.spawn(
  [
    process.execPath,
    join(REPOSITORY, 'src/start.ts'),
    ...withDefault('--data', join(REPOSITORY, 'demo/data')),
    ...withDefault('--admin', `${ADMIN.username}:${ADMIN.password}`),
    ...LIBRARY_TYPES.flatMap((type) => ['--library', `${LIBRARY_NAMES[type]}:${type}=${libraries[type]}`]),
    ...args,
  ],
  { cwd: REPOSITORY, stdin: 'ignore', stdout: 'inherit', stderr: 'inherit' },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
process.exit(await child.exited)
