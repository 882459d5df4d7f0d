/** The short facts below a card's title, and how much of an entry has been seen. */

import { resumePage, resumePosition } from '../../../src/domain/progress.ts'
import type { BrowseEntry } from '../api/types.ts'
import { t } from '../i18n/translate.ts'
import { formatRuntime } from './format.ts'

const SECONDS_PER_MINUTE = 60

const counts = ({ itemType, gameCount, childCount }: BrowseEntry): string | undefined => {
  if (itemType === 'game_series') return t('entry.games', gameCount ?? childCount ?? 0)
  if (childCount === null) return undefined
  if (itemType === 'tv_series') return t('entry.seasons', childCount)
  if (itemType === 'tv_season') return t('entry.episodes', childCount)
  if (itemType === 'manga_series') return t('entry.volumes', childCount)
  return undefined
}

const episodeLabel = (entry: BrowseEntry): string | undefined =>
  entry.itemType === 'tv_episode' && entry.episodeNumber !== null ? t('entry.episode', entry.seasonNumber, entry.episodeNumber) : undefined

/** Folder names end in it mostly; saying it twice helps nobody. */
export const yearFact = ({ title, year }: Pick<BrowseEntry, 'title' | 'year'>): string | undefined =>
  year === null || title.endsWith(`(${year})`) ? undefined : String(year)

const TITLE_AND_YEAR = /^(.+\S)\s*\((\d{4})\)$/

/** A title apart from the year that it ends in: in the width of a card one of them would be cut off. */
export const splitTitle = (title: string): { name: string; year: string | undefined } => {
  const [, name = title, year] = TITLE_AND_YEAR.exec(title) ?? []
  return { name, year }
}

/** The page that a volume lies open at; nothing else has any. */
const pageFact = ({ progress, pageCount }: BrowseEntry): string | undefined => {
  const page = resumePage(progress, pageCount)
  return page ? t('entry.onPage', page + 1) : undefined
}

const BETWEEN_SLASHES = /\/(.+)\//

/** The folders between a series and its volume, where there are any: chapters are numbered anew in each, perhaps. */
export const folderFact = ({ itemType, itemKey }: Pick<BrowseEntry, 'itemType' | 'itemKey'>): string | undefined =>
  itemType === 'manga_volume' ? BETWEEN_SLASHES.exec(itemKey)?.[1] : undefined

export const entryFacts = (entry: BrowseEntry): string[] =>
  [
    episodeLabel(entry),
    pageFact(entry),
    folderFact(entry),
    entry.seriesTitle,
    splitTitle(entry.title).year ?? yearFact(entry),
    counts(entry),
    entry.itemType !== 'mixed_file' && entry.durationSeconds ? formatRuntime(entry.durationSeconds / SECONDS_PER_MINUTE) : undefined,
  ].filter((fact) => fact !== undefined)

/** Of what has been completed. */
export const doneText = ({ itemType }: Pick<BrowseEntry, 'itemType'>): string =>
  itemType.startsWith('manga') ? t('entry.read') : t('entry.watched')

/** Of what has been seen in part. `fraction`: from 0 to 1. */
export const partText = (fraction: number): string => t('entry.partlyDone', Math.round(fraction * 100))

/** From 0 to 1; undefined where there is nothing to go on with, or the whole is not known. */
export const progressFraction = (entry: Pick<BrowseEntry, 'progress' | 'durationSeconds' | 'pageCount'>): number | undefined => {
  const { pageCount, progress } = entry
  const page = resumePage(progress, pageCount)
  if (pageCount) return page ? Math.min(1, (page + 1) / pageCount) : undefined
  const duration = progress?.durationSeconds ?? entry.durationSeconds
  const position = resumePosition(progress)
  return duration && position ? Math.min(1, position / duration) : undefined
}
