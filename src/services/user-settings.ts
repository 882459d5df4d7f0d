import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { users } from '../db/schema/users.ts'
import type { Deps } from '../deps.ts'
import { isLanguageTag } from '../domain/language-code.ts'
import type { Viewer } from '../domain/permissions.ts'
import { DEFAULT_SORTS, DEFAULT_USER_SETTINGS, GRID_SIZES, SEEK_STEPS, THEMES, type UserSettings } from '../domain/user-settings.ts'
import { AppError } from '../errors.ts'
import { readerFields } from './reader-settings.ts'
import { storedSettings } from './stored-settings.ts'

const WANTED_TAG = 'A language tag such as en or pt-BR'

/** BCP 47 in its usual shape: `en`, `pt-BR`, `zh-Hant-TW`. */
const languageTag = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/, { error: WANTED_TAG, abort: true })
  .refine(isLanguageTag, WANTED_TAG)

const fields = {
  theme: z.enum(THEMES),
  language: languageTag.or(z.literal('auto')),
  autoplayNext: z.boolean(),
  seekShort: z.literal(SEEK_STEPS),
  seekLong: z.literal(SEEK_STEPS),
  audioLanguage: languageTag.nullable(),
  subtitleLanguage: languageTag.nullable(),
  readerMode: readerFields.mode,
  readerFit: readerFields.fit,
  readerBackground: readerFields.background,
  readerTapZones: readerFields.tapZones,
  readerInvertTaps: readerFields.invertTaps,
  readerDoublePage: readerFields.doublePage,
  readerCoverAlone: readerFields.coverAlone,
  readerSidePadding: readerFields.sidePadding,
  gridSize: z.enum(GRID_SIZES),
  defaultSort: z.enum(DEFAULT_SORTS),
  scrollMuted: z.boolean(),
  translationTarget: z.string().trim().min(1).max(64).nullable(),
} satisfies { [Name in keyof UserSettings]: z.ZodType<UserSettings[Name]> }

export const userSettingsSchema = z.object(fields)
export const userSettingsPatch = z.strictObject(fields).partial()

const parseStored = storedSettings(fields)

export const getUserSettings = async ({ db }: Deps, viewer: Viewer): Promise<UserSettings> => {
  const [row] = await db.select({ settings: users.settings }).from(users).where(eq(users.id, viewer.userId))
  if (!row) throw new AppError('not_found')
  return { ...DEFAULT_USER_SETTINGS, ...parseStored(row.settings) }
}

export const updateUserSettings = ({ write }: Deps, viewer: Viewer, patch: Partial<UserSettings>): Promise<UserSettings> =>
  write.transaction(async (tx) => {
    const [row] = await tx.select({ settings: users.settings }).from(users).where(eq(users.id, viewer.userId))
    if (!row) throw new AppError('not_found')
    const stored = { ...parseStored(row.settings), ...patch }
    await tx
      .update(users)
      .set({ settings: JSON.stringify(stored) })
      .where(eq(users.id, viewer.userId))
    return { ...DEFAULT_USER_SETTINGS, ...stored }
  })
