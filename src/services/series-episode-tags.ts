/** The tags of the episodes of every series of a library, for filtering a list of series by them. */

import type { Deps } from '../deps.ts'
import type { Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'
import { getVisibleLibrary } from './visible.ts'

/** `{series: {[seriesKey]: {[episodeKey]: tagId[]}}}` as JSON text: every present series, and those of its episodes that carry tags. */
export const listSeriesEpisodeTags = async (deps: Deps, viewer: Viewer, libraryId: number): Promise<{ json: string }> => {
  const library = await getVisibleLibrary(deps, viewer, libraryId)
  if (library.type !== 'tv') throw new AppError('invalid_request', 'Only TV libraries have episodes.')
  const { rows } = await deps.db.$client.execute({
    sql: `WITH tagged AS MATERIALIZED (
        SELECT coalesce(season.parent_id, season.id) AS series_id, e.item_key, (SELECT json_group_array(tag_id) FROM item_tags WHERE item_id = e.id) AS tags
        FROM media_items e JOIN media_items season ON season.id = e.parent_id
        WHERE e.library_id = ?1 AND e.item_type = 'tv_episode' AND e.missing_since IS NULL AND EXISTS (SELECT 1 FROM item_tags WHERE item_id = e.id)
        ORDER BY e.item_key),
      grouped AS MATERIALIZED (SELECT series_id, json_group_object(item_key, json(tags)) AS episodes FROM tagged GROUP BY series_id)
      SELECT json_group_object(s.item_key, json(coalesce(g.episodes, '{}'))) AS series FROM media_items s LEFT JOIN grouped g ON g.series_id = s.id
      WHERE s.library_id = ?1 AND s.parent_id IS NULL AND s.item_type = 'tv_series' AND s.missing_since IS NULL`,
    args: [libraryId],
  })
  return { json: `{"series":${rows[0]?.series}}` }
}
