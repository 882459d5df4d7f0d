/** What comes after an episode or a volume, in the order in which its series is shown. */

import type { Deps } from '../deps.ts'

/** Rows without a number stand last (services/browse-sort.ts, `number`). */
const placeOf = (row: string, direction: '' | ' DESC' = ''): string =>
  [`coalesce(${row}.sort_number, 9e15)`, `${row}.sort_title`, `${row}.id`].map((column) => `${column}${direction}`).join(', ')

/** Files with the same number are versions of one episode: neither follows the other. */
const isLaterThan = (row: string, here: string): string =>
  `(${placeOf(row)}) > (${placeOf(here)}) AND (${row}.sort_number IS NULL OR ${row}.sort_number IS NOT ${here}.sort_number)`

const IS_OPEN = 'NOT EXISTS (SELECT 1 FROM progress p WHERE p.user_id = ?2 AND p.item_id = next.id AND p.completed)'

type Seasons = (season: string, here: string) => string

/** Specials lead nowhere else, and nothing leads to them. */
const WITHOUT_SPECIALS: Seasons = (season, here) =>
  `${season}.season_number IS NOT 0 AND ${here}.season_number IS NOT 0 AND (${placeOf(season)}) > (${placeOf(here)})`
/** Specials come after all seasons. */
const specialsLast = (season: string): string => `${season}.season_number IS 0, ${placeOf(season)}`
const WITH_SPECIALS: Seasons = (season, here) => `(${specialsLast(season)}) > (${specialsLast(here)})`

/** Within the season, then in the seasons after it. */
const nextEpisode = (isLaterSeason: Seasons): string => `SELECT next.id AS id FROM media_items here
  JOIN media_items here_season ON here_season.id = here.parent_id
  JOIN media_items season ON season.parent_id = here_season.parent_id
  JOIN media_items next ON next.parent_id = season.id AND next.missing_since IS NULL
  WHERE here.id = ?1 AND here.item_type = 'tv_episode' AND ${IS_OPEN} AND CASE
    WHEN season.id = here_season.id THEN ${isLaterThan('next', 'here')}
    ELSE ${isLaterSeason('season', 'here_season')} END
  ORDER BY ${specialsLast('season')}, ${placeOf('next')} LIMIT 1`

/** The same order, backwards. */
const PREVIOUS_EPISODE = `SELECT prev.id AS id FROM media_items here
  JOIN media_items here_season ON here_season.id = here.parent_id
  JOIN media_items season ON season.parent_id = here_season.parent_id
  JOIN media_items prev ON prev.parent_id = season.id AND prev.missing_since IS NULL
  WHERE here.id = ?1 AND here.item_type = 'tv_episode' AND CASE
    WHEN season.id = here_season.id THEN ${isLaterThan('here', 'prev')}
    ELSE ${WITH_SPECIALS('here_season', 'season')} END
  ORDER BY season.season_number IS 0 DESC, ${placeOf('season', ' DESC')}, ${placeOf('prev', ' DESC')} LIMIT 1`

/** As they are listed: two with the same number may be the halves of one chapter. */
const NEXT_VOLUME = `SELECT next.id AS id FROM media_items here JOIN media_items next ON next.parent_id = here.parent_id AND next.missing_since IS NULL
  WHERE here.id = ?1 AND here.item_type = 'manga_volume' AND ${IS_OPEN} AND (${placeOf('next')}) > (${placeOf('here')})
  ORDER BY ${placeOf('next')} LIMIT 1`

interface NextOptions {
  /** A user's id: what that person has completed is passed over. */
  notCompletedBy?: number | null
  /** After the last episode of the last season come the specials. */
  isWithSpecials?: boolean
}

/** The id of the next episode of the series, or the next volume; undefined at its end, and for items of other types. The item itself may be missing. */
export const findNextItem = async (
  deps: Pick<Deps, 'db'>,
  itemId: number,
  { notCompletedBy = null, isWithSpecials = false }: NextOptions = {},
): Promise<number | undefined> => {
  for (const sql of [nextEpisode(isWithSpecials ? WITH_SPECIALS : WITHOUT_SPECIALS), NEXT_VOLUME]) {
    const { rows } = await deps.db.$client.execute({ sql, args: [itemId, notCompletedBy] })
    if (rows[0]) return Number(rows[0].id)
  }
  return undefined
}

/** The id of the episode before this one, specials last; undefined at the first one, and for items of other types. */
export const findPreviousEpisode = async (deps: Pick<Deps, 'db'>, itemId: number): Promise<number | undefined> => {
  const { rows } = await deps.db.$client.execute({ sql: PREVIOUS_EPISODE, args: [itemId] })
  return rows[0] && Number(rows[0].id)
}
