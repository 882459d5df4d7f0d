/**
 * Milliseconds of processor time that this process has used, in all its threads. What something costs is told by it on a
 * machine that does much else; the time on the clock is not.
 */
export const processorMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
