/** How AI enrichment is set up: globally, by library, and what holds in the end (API.md, 9). */

import { eq, inArray } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { libraryAiSettings } from '../db/schema/ai-settings.ts'
import { libraries } from '../db/schema/libraries.ts'
import { settings as settingsTable } from '../db/schema/settings.ts'
import type { Deps } from '../deps.ts'
import {
  type AiOverrides,
  type AiSettings,
  defaultAiSettings,
  effectiveAiSettings,
  type OcrMode,
  saidOverrides,
} from '../domain/ai-settings.ts'
import { endpointOrigin } from '../domain/endpoint-origin.ts'
import type { Viewer } from '../domain/permissions.ts'
import { type AiSettingsInput, aiSettingsSchema } from './ai-settings-schema.ts'
import { listOcrLanguages } from './ocr-languages.ts'
import { getVisibleLibrary } from './visible.ts'

const SETTINGS = 'ai'
/** In a row of its own, so that nothing that reads the settings holds it by the way. */
const API_KEY = 'ai_api_key'
/** Of the place that the key was given for; kept while there is no endpoint. */
const API_KEY_ORIGIN = 'ai_api_key_origin'

/** The settings, and the key that goes to their endpoint only. */
interface AiAccess {
  settings: AiSettings
  apiKey: string | null
}

type Reader = Pick<Database, 'select'>

export const loadAiAccess = async (db: Reader): Promise<AiAccess> => {
  const rows = await db
    .select()
    .from(settingsTable)
    .where(inArray(settingsTable.key, [SETTINGS, API_KEY]))
  const values = new Map(rows.map(({ key, value }) => [key, value]))
  return {
    settings: aiSettingsSchema.parse(JSON.parse(values.get(SETTINGS) ?? '{}'), { jitless: true }),
    apiKey: values.get(API_KEY) ?? null,
  }
}

/** By library; one that sets nothing itself is not in it. */
export const loadAiOverrides = async (db: Reader): Promise<Map<number, AiOverrides>> => {
  const rows = await db.select().from(libraryAiSettings)
  return new Map(rows.map(({ libraryId, overrides }) => [libraryId, overrides]))
}

/** Everything that the settings are read from, as one text. */
export const loadAiMark = async (db: Pick<Database, '$client'>): Promise<string> => {
  const { rows } = await db.$client.execute({
    sql: `SELECT (SELECT group_concat(key || ' ' || value, char(10)) FROM settings WHERE key IN (?, ?)) AS global,
        (SELECT group_concat(library_id || ' ' || overrides, char(10)) FROM library_ai_settings) AS own`,
    args: [SETTINGS, API_KEY],
  })
  return JSON.stringify([rows[0]?.global, rows[0]?.own])
}

interface LibraryAiSettings {
  overrides: AiOverrides
  effective: AiSettings
}

/** What a library sets itself and what holds for it, whoever asks. */
export const loadLibraryAiSettings = async (db: Reader, libraryId: number): Promise<LibraryAiSettings> => {
  const { settings } = await loadAiAccess(db)
  const [row] = await db.select().from(libraryAiSettings).where(eq(libraryAiSettings.libraryId, libraryId))
  const overrides = row ? row.overrides : {}
  return { overrides, effective: effectiveAiSettings(settings, overrides) }
}

export const getEffectiveAiSettings = async (deps: Pick<Deps, 'db'>, libraryId: number): Promise<AiSettings> =>
  (await loadLibraryAiSettings(deps.db, libraryId)).effective

type AiSettingsAnswer = AiSettings & { apiKeySet: boolean }

export const getAiSettings = async (deps: Pick<Deps, 'db'>): Promise<AiSettingsAnswer> => {
  const { settings, apiKey } = await loadAiAccess(deps.db)
  return { ...settings, apiKeySet: apiKey !== null }
}

/** What differs from the default: whoever never wrote a prompt gets the better ones of later versions. */
const differing = (value: unknown, standard: unknown): unknown => {
  if (typeof value !== 'object' || value === null || typeof standard !== 'object' || standard === null)
    return value === standard ? undefined : value
  const entries = Object.entries(value).map(([key, own]) => [key, differing(own, Reflect.get(standard, key))] as const)
  const kept = entries.filter(([, own]) => own !== undefined)
  return kept.length > 0 ? Object.fromEntries(kept) : undefined
}

interface KeptKey {
  key: string
  /** Empty where there was no endpoint yet: the first one gets it. */
  origin: string
}

const loadKeptKey = async (db: Reader): Promise<KeptKey | null> => {
  const { settings, apiKey } = await loadAiAccess(db)
  if (apiKey === null) return null
  const [row] = await db.select().from(settingsTable).where(eq(settingsTable.key, API_KEY_ORIGIN))
  return { key: apiKey, origin: endpointOrigin(settings.endpoint) || (row?.value ?? '') }
}

/** The key for the endpoint as it will be: one that was given for another place goes nowhere else, and waits while there is no place. */
const nextKey = (
  before: KeptKey | null,
  { endpoint, apiKey }: { endpoint: string; apiKey?: string | null | undefined },
): KeptKey | null => {
  const origin = endpointOrigin(endpoint)
  if (typeof apiKey === 'string') return apiKey === '' ? null : { key: apiKey, origin }
  if (before === null || origin === '' || before.origin === '') return before && { ...before, origin: origin || before.origin }
  return origin === before.origin ? before : null
}

export const replaceAiSettings = async (deps: Deps, { apiKey, ...settings }: AiSettingsInput): Promise<AiSettingsAnswer> => {
  const keySet = await deps.write.transaction(async (tx) => {
    const kept = nextKey(await loadKeptKey(tx), { endpoint: settings.endpoint, apiKey })
    const value = JSON.stringify(differing(settings, defaultAiSettings()) ?? {})
    await tx.insert(settingsTable).values({ key: SETTINGS, value }).onConflictDoUpdate({ target: settingsTable.key, set: { value } })
    await tx.delete(settingsTable).where(inArray(settingsTable.key, [API_KEY, API_KEY_ORIGIN]))
    if (kept === null) return false
    await tx.insert(settingsTable).values([
      { key: API_KEY, value: kept.key },
      { key: API_KEY_ORIGIN, value: kept.origin },
    ])
    return true
  })
  await deps.aiQueue.settingsChanged()
  return { ...settings, apiKeySet: keySet }
}

export const getLibraryAiSettings = async (deps: Deps, viewer: Viewer, libraryId: number): Promise<LibraryAiSettings> => {
  await getVisibleLibrary(deps, viewer, libraryId)
  return loadLibraryAiSettings(deps.db, libraryId)
}

export const replaceLibraryAiSettings = async (
  deps: Deps,
  viewer: Viewer,
  { libraryId, overrides }: { libraryId: number; overrides: AiOverrides },
): Promise<LibraryAiSettings> => {
  await getVisibleLibrary(deps, viewer, libraryId)
  const said = saidOverrides(overrides)
  await deps.write.transaction(async (tx) => {
    const before = await loadLibraryAiSettings(tx, libraryId)
    // What came in before is not sent unasked, though the full queue may have left some of it for a later scan (ai-batches.ts).
    if (before.overrides.enabled === false && said.enabled !== false)
      await tx.update(libraries).set({ aiOnScanSince: Date.now() }).where(eq(libraries.id, libraryId))
    await tx
      .insert(libraryAiSettings)
      .values({ libraryId, overrides: said })
      .onConflictDoUpdate({ target: libraryAiSettings.libraryId, set: { overrides: said } })
  })
  await deps.aiQueue.settingsChanged()
  return getLibraryAiSettings(deps, viewer, libraryId)
}

interface OcrSettings {
  /** Whether models may be asked; recognition goes on without. */
  enabled: boolean
  /** Where there is none, nobody has set models up: they need not be offered. */
  hasEndpoint: boolean
  ocrMode: OcrMode
  ocrLanguages: string
  availableLanguages: string[]
}

/** The effective ones where a library is named. */
export const getOcrSettings = async (deps: Deps, viewer: Viewer, libraryId?: number): Promise<OcrSettings> => {
  const { enabled, endpoint, ocrMode, ocrLanguages } =
    libraryId === undefined ? (await loadAiAccess(deps.db)).settings : (await getLibraryAiSettings(deps, viewer, libraryId)).effective
  return { enabled, hasEndpoint: endpoint !== '', ocrMode, ocrLanguages, availableLanguages: await listOcrLanguages(deps) }
}
