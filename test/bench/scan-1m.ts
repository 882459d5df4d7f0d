/** How a scan grows from 100,000 files to 1,000,000. */

import type { Bench } from './bench.ts'
import { mixedTree, SET } from './mixed-tree.ts'
import { interleave, median } from './rounds.ts'
import { type FirstScan, firstScan } from './scan-run.ts'
import { atMost, ratioAtMost } from './table.ts'

const SETS = 10

export const scan1mBench: Bench = async ({ rounds, say }) => {
  const [small, large] = [await mixedTree(1), await mixedTree(SETS)]
  say('The warm-up is the small tree alone; every round scans both.')
  const scans = await interleave<'small' | 'large', FirstScan>(rounds, {
    small: { measure: () => firstScan(small, SET.files) },
    large: { measure: () => firstScan(large, SET.files * SETS), isWarmedUp: false },
  })
  const secondsOf = (finished: readonly FirstScan[]): number => median(finished.map((scan) => scan.seconds))
  return [
    {
      what: `first scan of ${SET.files * SETS} files in ${SET.folders * SETS} folders`,
      unit: 's',
      vitrine: secondsOf(scans.large),
      peer: { name: `itself with ${SET.files} files`, value: secondsOf(scans.small) },
      reach: ratioAtMost(11),
      note: `rounds: ${scans.large.map((scan) => scan.seconds.toFixed(1)).join(', ')} s; processor time ${median(scans.large.map((scan) => scan.cpuSeconds)).toFixed(1)} s`,
    },
    {
      what: 'peak memory of the server, highest round',
      unit: 'MiB',
      vitrine: Math.max(...scans.large.map((scan) => scan.peakMib)),
      reach: atMost(600),
    },
  ]
}
