import type { Scan } from '../api/types.ts'
import { t } from '../i18n/translate.ts'

/** What a scan changed, in words; empty where it changed nothing. */
export const scanChanges = (scan: Scan): string[] =>
  [
    scan.added > 0 && t('scan.added', scan.added),
    scan.updated > 0 && t('scan.updated', scan.updated),
    scan.moved > 0 && t('scan.moved', scan.moved),
    scan.missing > 0 && t('scan.missing', scan.missing),
    scan.restored > 0 && t('scan.restored', scan.restored),
  ].filter((change) => change !== false)

/** Seconds from its start to its end, or to now; undefined before it has started. */
export const scanSeconds = (scan: Scan, now: number = Date.now()): number | undefined =>
  scan.startedAt === null ? undefined : ((scan.finishedAt === null ? now : Date.parse(scan.finishedAt)) - Date.parse(scan.startedAt)) / 1000
