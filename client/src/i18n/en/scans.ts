/** How scans and jobs go, for the screens that show them. */

import { formatCount } from '../../primitives/format.ts'
import { counted } from '../counted.ts'

export const scansTexts = {
  activity: {
    scanning: (name: string) => `Scanning ${name}`,
    scanningMany: counted('library is being scanned', 'libraries are being scanned'),
    aiWorking: 'AI jobs',
    aiPaused: 'AI jobs, paused',
  },
  scanLine: {
    statuses: {
      queued: 'Queued',
      running: 'Running',
      done: 'Done',
      failed: 'Failed',
      cancelled: 'Cancelled',
      interrupted: 'Interrupted',
      held: 'Waiting for you',
    },
    phases: {
      walking: 'Reading folders',
      matching: 'Recognising what has moved',
      cancelling: 'Stopping',
    },
    progress: (found: number) => `${formatCount(found)} found`,
    unchanged: 'No changes',
    nothing: 'Nothing found',
    added: (count: number) => `${formatCount(count)} added`,
    updated: (count: number) => `${formatCount(count)} updated`,
    moved: (count: number) => `${formatCount(count)} moved`,
    missing: (count: number) => `${formatCount(count)} missing`,
    restored: (count: number) => `${formatCount(count)} back`,
  },
}
