import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Imports nothing but what Bun brings: it runs before the packages are there. */

/** Runs a command with the terminal as its own; answers its exit code. */
export const runVisibly = (command: string[], env: Record<string, string> = {}): Promise<number> =>
  Bun.spawn(command, { stdin: 'ignore', stdout: 'inherit', stderr: 'inherit', env: { ...process.env, ...env } }).exited

/** Installs the packages of bun.lock where node_modules was installed from another one (`bun run start` keeps the same mark). Throws where that fails. */
export const installPackages = async (repository: string): Promise<void> => {
  const mark = join(repository, 'node_modules/.installed-lockfile')
  const wanted = createHash('sha256')
    .update(readFileSync(join(repository, 'bun.lock')))
    .digest('hex')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return
  const exitCode = await runVisibly([process.execPath, 'install', '--frozen-lockfile', '--cwd', repository])
  if (exitCode !== 0) throw new Error(`bun install ended with ${exitCode}`)
  writeFileSync(mark, wanted)
}

interface NeededProgram {
  /** Programs that must be in the path, or files that must exist where a slash says so. */
  provides: string[]
  /** The Debian package that brings them. */
  debianPackage: string
  /** A program that does as well where that package cannot be had. */
  substitute?: string
}

/** What the test suite calls besides Bun and its packages. */
const NEEDED_PROGRAMS: readonly NeededProgram[] = [
  { provides: ['ffmpeg', 'ffprobe'], debianPackage: 'ffmpeg' },
  // The same browser without its windows: it takes a third less of the processor.
  { provides: ['chromium-headless-shell'], debianPackage: 'chromium-headless-shell', substitute: 'chromium' },
  { provides: ['zip'], debianPackage: 'zip' },
  { provides: ['unzip'], debianPackage: 'unzip' },
  { provides: ['tar'], debianPackage: 'tar' },
  { provides: ['python3'], debianPackage: 'python3' },
  { provides: ['setpriv'], debianPackage: 'util-linux' },
  { provides: ['/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'], debianPackage: 'fonts-dejavu-core' },
  { provides: ['/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc'], debianPackage: 'fonts-noto-cjk' },
]

const isThere = (name: string): boolean => (name.includes('/') ? existsSync(name) : Bun.which(name) !== null)

/** The rows of the table that this machine lacks. */
const missingPrograms = (): NeededProgram[] => NEEDED_PROGRAMS.filter(({ provides }) => !provides.every(isThere))

/** Installs what is missing where this process may; answers the Debian packages of what is missing still and has no substitute. */
export const installPrograms = async (): Promise<string[]> => {
  const packages = missingPrograms().map(({ debianPackage }) => debianPackage)
  if (packages.length > 0 && process.getuid?.() === 0 && Bun.which('apt-get') !== null) {
    process.stderr.write(`Installing ${packages.join(' ')}\n`)
    const env = { DEBIAN_FRONTEND: 'noninteractive' }
    await runVisibly(['apt-get', 'update', '-q'], env)
    // One by one: a name that this Debian does not know would keep back the others.
    for (const name of packages) await runVisibly(['apt-get', 'install', '-y', '-q', '--no-install-recommends', name], env)
  }
  const isLacking = ({ substitute }: NeededProgram): boolean => substitute === undefined || !isThere(substitute)
  return missingPrograms()
    .filter(isLacking)
    .map(({ debianPackage }) => debianPackage)
}
