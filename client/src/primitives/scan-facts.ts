import type { Scan } from '../api/types.ts'
import { t } from '../i18n/scans.ts'

/** Whether it has looked everywhere, and there is nothing of its library's type. */
export const hasFoundNothing = ({ status, found }: Scan): boolean => status === 'done' && found === 0

/** What a scan changed, in words. Of one that failed nothing: that nothing has changed would sound as if it had looked. */
export const scanResult = (scan: Scan): string => {
  const changes = [
    scan.added > 0 && t('scanLine.added', scan.added),
    scan.updated > 0 && t('scanLine.updated', scan.updated),
    scan.moved > 0 && t('scanLine.moved', scan.moved),
    scan.missing > 0 && t('scanLine.missing', scan.missing),
    scan.restored > 0 && t('scanLine.restored', scan.restored),
  ].filter((change) => change !== false)
  if (changes.length > 0) return changes.join(', ')
  return scan.status === 'failed' ? '' : t(hasFoundNothing(scan) ? 'scanLine.nothing' : 'scanLine.unchanged')
}

/** Seconds that it took to read the folders, and then to match what was found; undefined until both are known. */
export const scanPhases = ({ startedAt, walkedAt, finishedAt }: Scan): { walking: number; matching: number } | undefined => {
  if (startedAt === null || walkedAt === null || finishedAt === null) return undefined
  const [start, walked, end] = [Date.parse(startedAt), Date.parse(walkedAt), Date.parse(finishedAt)]
  return { walking: (walked - start) / 1000, matching: Math.max(0, end - walked) / 1000 }
}

/** Seconds from its start to its end, or to now; undefined before it has started. */
export const scanSeconds = (scan: Scan): number | undefined =>
  scan.startedAt === null
    ? undefined
    : ((scan.finishedAt === null ? Date.now() : Date.parse(scan.finishedAt)) - Date.parse(scan.startedAt)) / 1000
