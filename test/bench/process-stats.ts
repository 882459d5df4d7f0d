/** What Linux says of a process: its memory and its processor time. */

import { readFileSync, writeFileSync } from 'node:fs'

const KIB_PER_MIB = 1024
/** USER_HZ, which is 100 on every Linux that Debian builds. */
const TICKS_PER_SECOND = 100

const statusMib = (pid: number, field: string): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const [, kib] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status) ?? []
  if (kib === undefined) throw new Error(`/proc/${pid}/status has no ${field}.`)
  return Number(kib) / KIB_PER_MIB
}

/** Resident memory now, all threads, in MiB. */
export const residentMib = (pid: number): number => statusMib(pid, 'VmRSS')

/** The most that was resident since the start, or since `forgetPeak`, in MiB. */
export const peakMib = (pid: number): number => statusMib(pid, 'VmHWM')

/** Starts the peak anew at what is resident now (proc(5), clear_refs). */
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

/** Fields of proc_pid_stat(5) behind the name of the program, which may hold spaces. */
const statFields = (pid: number): number[] => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
}

/** Processor time in user and kernel mode, all threads, in seconds. */
export const cpuSeconds = (pid: number): number => {
  const [user = 0, kernel = 0] = statFields(pid).slice(11, 13)
  return (user + kernel) / TICKS_PER_SECOND
}

/** The same of the programs that it has started and that have ended. */
export const childrenCpuSeconds = (pid: number): number => {
  const [user = 0, kernel = 0] = statFields(pid).slice(13, 15)
  return (user + kernel) / TICKS_PER_SECOND
}

export const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

const REST_SAMPLE_MS = 200
/** A process that answers nobody still has timers. */
const REST_SHARE = 0.1
const REST_SAMPLES = 5

/** Waits until a process has next to nothing to do, as a server has once it is through with what a scan left behind. */
export const untilAtRest = async (pid: number): Promise<void> => {
  for (let samples = 0; samples < REST_SAMPLES; ) {
    const before = cpuSeconds(pid)
    await Bun.sleep(REST_SAMPLE_MS)
    samples = cpuSeconds(pid) - before <= (REST_SAMPLE_MS / 1000) * REST_SHARE ? samples + 1 : 0
  }
}
