import { formatCount } from '../../primitives/format.ts'
import { counted } from '../counted.ts'
import type { scansTexts as english } from '../en/scans.ts'
import type { Translation } from '../translation.ts'

export const scansTexts = {
  activity: {
    scanning: (name: string) => `${name} wird eingelesen`,
    scanningMany: counted('Bibliothek wird eingelesen', 'Bibliotheken werden eingelesen'),
    aiWorking: 'KI-Aufträge',
    aiPaused: 'KI-Aufträge, angehalten',
  },
  scanLine: {
    statuses: {
      queued: 'Wartet',
      running: 'Läuft',
      done: 'Fertig',
      failed: 'Gescheitert',
      cancelled: 'Abgebrochen',
      interrupted: 'Unterbrochen',
      held: 'Wartet auf Zustimmung',
    },
    phases: {
      walking: 'Ordner werden gelesen',
      matching: 'Verschobenes wird erkannt',
      cancelling: 'Wird angehalten',
    },
    progress: (found: number) => `${formatCount(found)} gefunden`,
    unchanged: 'Keine Änderungen',
    nothing: 'Nichts gefunden',
    added: (count: number) => `${formatCount(count)} neu`,
    updated: (count: number) => `${formatCount(count)} geändert`,
    moved: (count: number) => `${formatCount(count)} verschoben`,
    missing: counted('fehlt', 'fehlen'),
    restored: (count: number) => `${formatCount(count)} zurück`,
  },
} satisfies Translation<typeof english>
