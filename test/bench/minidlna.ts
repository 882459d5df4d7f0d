/** minidlna as a peer: its whole scan, from its start until it says that it is done. */

import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { secondsOf } from './rounds.ts'

const FINISHED = 'Finished parsing playlists'
const LIMIT_MS = 600_000
const POLL_INTERVAL_MS = 10

interface MinidlnaRun {
  /** Holds its database between runs. */
  folder: string
  media: string
  /** `-R` forgets the database and begins again, `-r` looks for what has changed. */
  mode: '-R' | '-r'
}

const writeConfiguration = async (folder: string, media: string): Promise<string> => {
  const path = join(folder, 'minidlna.conf')
  const lines = [`media_dir=${media}`, `db_dir=${join(folder, 'db')}`, `log_dir=${join(folder, 'log')}`, 'port=8200', 'inotify=no']
  await writeFile(path, `${lines.join('\n')}\n`)
  return path
}

/** Seconds until it has read everything. It lives in a network namespace of its own, where only the loopback is up. */
export const scanWithMinidlna = async (program: string, { folder, media, mode }: MinidlnaRun): Promise<number> => {
  await mkdir(join(folder, 'db'), { recursive: true })
  await rm(join(folder, 'log'), { recursive: true, force: true })
  await mkdir(join(folder, 'log'))
  const log = join(folder, 'log/minidlna.log')
  const configuration = await writeConfiguration(folder, media)
  const output = await open(join(folder, 'output'), 'w')
  const command = `ip link set lo up && exec ${program} -S -f ${configuration} -P ${join(folder, 'pid')} ${mode}`
  let child: Bun.Subprocess | undefined
  const isFinished = async (): Promise<boolean> => {
    const texts = await Promise.all([log, join(folder, 'output')].map((path) => readFile(path, 'utf8').catch(() => '')))
    return texts.some((text) => text.includes(FINISHED))
  }
  try {
    return await secondsOf(async () => {
      child = Bun.spawn(['unshare', '-n', 'sh', '-c', command], { stdin: 'ignore', stdout: output.fd, stderr: output.fd })
      const end = Date.now() + LIMIT_MS
      while (!(await isFinished())) {
        if (child.exitCode !== null) throw new Error(`minidlna ended with ${child.exitCode}; see ${folder}/output`)
        if (Date.now() > end) throw new Error(`minidlna did not end in ${LIMIT_MS / 1000} s.`)
        await Bun.sleep(POLL_INTERVAL_MS)
      }
    })
  } finally {
    child?.kill('SIGKILL')
    await child?.exited
    await output.close()
  }
}
