/** Whether `103` is the third episode of season 1 or the hundred and third one: what the names in one folder tell together. */

import type { EpisodeName } from './episode-name.ts'

type Readings = NonNullable<EpisodeName['either']>

/** No season goes on for longer: 141 is the 141st episode and not 1x41. */
const LONGEST_SEASON = 40

/** Whether the number can only be one that counts through the whole series. */
export const isBeyondSeason = ({ seasonNumber, episodeNumber }: EpisodeName): boolean =>
  seasonNumber === null && episodeNumber !== null && episodeNumber > LONGEST_SEASON

const isBare = ({ seasonNumber, episodeNumber, airedAt }: EpisodeName): boolean =>
  seasonNumber === null && airedAt === null && episodeNumber !== null

/** `01-01`, `01-02`, `01-03` are no spans: an episode is not in one file with the second, and in another with the third. */
const isPairs = (readings: readonly Readings[]): boolean =>
  readings.every(({ counted, joined }) => counted.episodeNumber === joined.seasonNumber) &&
  new Set(readings.map(({ joined }) => `${joined.seasonNumber}x${joined.episodeNumber}`)).size >
    new Set(readings.map(({ counted }) => counted.episodeNumber)).size

const areJoined = (readings: readonly Readings[], isSeason: boolean): boolean => {
  if (readings.some(({ joined }) => (joined.episodeNumber ?? 0) > LONGEST_SEASON)) return false
  if (readings.some(({ counted, joined }) => counted.episodeNumber === joined.seasonNumber)) return isPairs(readings)
  const seasons = new Set(readings.map(({ joined }) => joined.seasonNumber ?? 0))
  // Of `1101`, `1102`, `1103` alone nothing tells that there are seasons, and few series have eleven.
  return isSeason || seasons.size > 1 || Math.min(...seasons) < 10
}

/**
 * `Show.103.mkv` beside `Show.104.mkv`: season and episode in one number (Kodi's and Jellyfin's documentation), if all
 * the bare numbers in the folder can be read so. One of a hundred and three episodes has others beside it; one alone is
 * what its reader takes it for. `isSeason`: whether the folder is a season's.
 */
export const readingOf = (names: readonly EpisodeName[], isSeason: boolean): keyof Readings => {
  const bare = names.filter((name) => name.either || isBare(name))
  const readings = bare.flatMap(({ either }) => either ?? [])
  const mayBeJoined = readings.length === bare.length && (bare.length > 1 || bare.some(({ seasonNumber }) => seasonNumber !== null))
  return mayBeJoined && areJoined(readings, isSeason) ? 'joined' : 'counted'
}

type Led = NonNullable<EpisodeName['led']>

/** `03 - 1x3`, `04 - 2x1`, `05 - 2x2`: in each season the episodes count on with the number at the start. `4x4` and `24x7` do not. */
const countsOn = (codes: readonly Led[]): boolean => {
  const seasons = Map.groupBy(codes, ({ behind }) => behind.seasonNumber).values()
  const before = [...seasons].map((season) => new Set(season.map(({ lead, behind }) => lead - (behind.episodeNumber ?? 0))))
  const leads = new Set(codes.map(({ lead }) => lead))
  return leads.size > before.length && before.every(({ size }) => size === 1)
}

/**
 * `1 - Ep1`, `1 - Ep2`: a number at the start that several have in one folder is that of their season. In `01 - Chapter 10`,
 * `02 - Chapter 11` it is the episode's.
 */
export const withoutSharedLead = (names: readonly EpisodeName[]): EpisodeName[] => {
  const [codes = [], words = []] = [true, false].map((isCode) =>
    names.flatMap(({ led }) => (led && (led.behind.seasonNumber !== null) === isCode ? [led] : [])),
  )
  const leads = [...Map.groupBy(words, ({ lead }) => lead)]
  const shared = new Set(leads.filter(([, own]) => new Set(own.map(({ behind }) => behind.episodeNumber)).size > 1).map(([lead]) => lead))
  const areCounted = countsOn(codes)
  const isBehind = ({ lead, behind }: Led): boolean => (behind.seasonNumber === null ? shared.has(lead) : areCounted)
  return names.map((name) => (name.led && isBehind(name.led) ? name.led.behind : name))
}
