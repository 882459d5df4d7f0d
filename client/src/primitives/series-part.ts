import type { BrowseEntry, CardEntry } from '../api/types.ts'
import { splitTitle } from './entry-facts.ts'

/** What stands between the name of a series and what tells its volumes apart: without a number it may be one title, as "Tides of War". */
const GAP_BEFORE_NUMBER = /^[\s_.,:–—-]+(?=.*\p{N})/u

/** The beginning of a volume's title that says its series again. */
export const seriesPart = (title: string, series: string): string => {
  const { name } = splitTitle(series)
  const gap = GAP_BEFORE_NUMBER.exec(title.slice(name.length))?.[0]
  return gap && title.toLowerCase().startsWith(name.toLowerCase()) ? title.slice(0, name.length + gap.length) : ''
}

/** A volume where its series is said already: in the width of a card its title would be cut off before its number. */
export const withSeriesPart = (entry: BrowseEntry, series = entry.seriesTitle): CardEntry =>
  entry.itemType === 'manga_volume' && series ? { ...entry, seriesPart: seriesPart(entry.title, series) } : entry
