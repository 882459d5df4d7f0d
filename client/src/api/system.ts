import { getJson, sendForFile } from './http.ts'

export interface SystemFacts {
  version: string
  uptimeSeconds: number
  database: { kind: 'file' | 'remote'; bytes: number | null }
  disk: { freeBytes: number; totalBytes: number }
  memoryBytes: number
  workers: { thumbnails: { pending: number; running: number } }
  ffmpeg: { available: boolean; probe: boolean }
  ocrLanguages: string[]
}

export const getSystem = () => getJson<SystemFacts>('system')

export const makeBackup = () => sendForFile('POST', 'system/backup')
