import { parseItemKey } from '../../../../src/domain/item-key.ts'
import type { BrowseEntry } from '../../api/types.ts'
import { decodeSegment, seasonPath, seasonSegment } from '../../primitives/paths.ts'

type Season = Pick<BrowseEntry, 'itemKey' | 'seasonNumber' | 'title'>

const folderOf = ({ itemKey }: Season): string => parseItemKey(itemKey)?.path ?? itemKey

/** A season among those of its series: of two folders that are the same season the later one is told by its folder. */
export const seasonAddress = (seriesAddress: string, season: Season, seasons: readonly Season[]): string => {
  const first = seasons.find((other) => seasonSegment(other) === seasonSegment(season))
  const isFirst = first === undefined || first.itemKey === season.itemKey
  return seasonPath(seriesAddress, isFirst ? season : { seasonNumber: null, title: folderOf(season) })
}

/** What the last part of such an address stands for. */
export const seasonAt = <Known extends Season>(seasons: readonly Known[], segment: string | undefined): Known | undefined => {
  const wanted = decodeSegment(segment)
  return seasons.find((season) => decodeSegment(seasonSegment(season)) === wanted) ?? seasons.find((season) => folderOf(season) === wanted)
}
