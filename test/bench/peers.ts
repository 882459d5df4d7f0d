/** The programs that Vitrine is measured against. */

import { runVisibly } from '../support/installed.ts'

/** Program and the Debian package that brings it. */
const DEBIAN_PACKAGES = {
  minidlnad: 'minidlna',
  nginx: 'nginx-light',
  wrk: 'wrk',
  vipsthumbnail: 'libvips-tools',
  ffmpegthumbnailer: 'ffmpegthumbnailer',
  sqlite3: 'sqlite3',
  tesseract: 'tesseract-ocr',
  find: 'findutils',
  curl: 'curl',
  zip: 'zip',
  unzip: 'unzip',
  unshare: 'util-linux',
} as const
type Peer = keyof typeof DEBIAN_PACKAGES

const SERVER_PATHS = '/usr/sbin:/sbin'

const findProgram = (name: string): string | null => Bun.which(name, { PATH: `${process.env.PATH ?? ''}:${SERVER_PATHS}` })

/** The path of the program, installed from Debian where this process may; null where it cannot be had. */
export const findPeer = async (name: Peer): Promise<string | null> => {
  const found = findProgram(name)
  if (found !== null || process.getuid?.() !== 0 || Bun.which('apt-get') === null) return found
  process.stderr.write(`Installing ${DEBIAN_PACKAGES[name]}\n`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await runVisibly(['apt-get', 'install', '-y', '-q', '--no-install-recommends', DEBIAN_PACKAGES[name]], env)
  return findProgram(name)
}

/** For what measures Vitrine itself: without it there is no benchmark. */
export const needPeer = async (name: Peer): Promise<string> => {
  const path = await findPeer(name)
  if (path === null) throw new Error(`${name} (Debian: ${DEBIAN_PACKAGES[name]}) is needed to measure this.`)
  return path
}
