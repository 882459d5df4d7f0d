import { readFileSync } from 'node:fs'

/**
 * Milliseconds of processor time that this process has used, in all its threads. What something costs is told by it on a
 * machine that does much else; the time on the clock is not.
 */
export const processorMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const TICK_MS = 10
/** Of the fields of /proc/…/stat that come after the name, which may hold anything. */
const [USER, SYSTEM] = [11, 12]

/** The same of another process, such as a server's. */
export const processorMsOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_MS
}
