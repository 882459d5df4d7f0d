import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SERIES, type SeriesTitle } from './catalogue.ts'
import { panClip, writeSubtitles } from './clips.ts'
import { poster } from './posters.ts'
import type { Job, Scale } from './scale.ts'
import { drawnScene, photograph, seedOf } from './scenes.ts'

/** Series in the ways that households keep them: season folders, flat, by date, two episodes in a file, another language. */

interface EpisodeFile {
  /** Below the series folder, without its extension. */
  path: string
  season: number
  /** The numbers of the episodes in the file; none where it goes by its date. */
  episodes: number[]
  title: string
}

const two = (value: number): string => String(value).padStart(2, '0')

const seasonFiles = ({ title, episodes }: SeriesTitle, folderOf: (season: number) => string, perSeason: number): EpisodeFile[] =>
  episodes.map((name, index) => {
    const [season, number] = [Math.floor(index / perSeason) + 1, (index % perSeason) + 1]
    return { path: `${folderOf(season)}/${title} S${two(season)}E${two(number)} - ${name}`, season, episodes: [number], title: name }
  })

const episodeFiles = (series: SeriesTitle): EpisodeFile[] => {
  const { title, layout, episodes } = series
  switch (layout) {
    case 'seasons':
      return [
        ...seasonFiles(series, (season) => `Season ${two(season)}`, 3),
        { path: `Specials/${title} S00E01 - Behind the Scenes`, season: 0, episodes: [1], title: 'Behind the Scenes' },
      ]
    case 'staffel':
      return seasonFiles(series, (season) => `Staffel ${season}`, 2)
    case 'flat':
      return episodes.map((name, index) => ({
        path: `${title} - 1x${two(index + 1)} - ${name}`,
        season: 1,
        episodes: [index + 1],
        title: name,
      }))
    case 'dated':
      return episodes.map((date) => ({
        path: `${date.slice(0, 4)}/${title} ${date}`,
        season: Number(date.slice(0, 4)),
        episodes: [],
        title: date,
      }))
    case 'double':
      return [
        { path: `Season 1/${title} S01E01-E02`, season: 1, episodes: [1, 2], title: episodes.slice(0, 2).join(' / ') },
        ...episodes
          .slice(2)
          .map((name, index) => ({ path: `Season 1/${title} S01E${two(index + 3)}`, season: 1, episodes: [index + 3], title: name })),
      ]
    default:
      return layout satisfies never
  }
}

const seriesNfo = ({ title, year, plot, genres }: SeriesTitle): string => `<?xml version="1.0" encoding="UTF-8"?>
<tvshow>
  <title>${title}</title>
  <year>${year}</year>
  <rating>7.8</rating>
  <plot>${plot}</plot>
${genres.map((genre) => `  <genre>${genre}</genre>`).join('\n')}
</tvshow>
`

const episodeNfo = ({ season, episodes, title }: EpisodeFile): string =>
  episodes
    .map(
      (number, index) => `<episodedetails>
  <title>${title.split(' / ')[index] ?? title}</title>
  <season>${season}</season>
  <episode>${number}</episode>
  <plot>In which ${(title.split(' / ')[index] ?? title).toLowerCase()} turns out to be only the beginning.</plot>
  <runtime>42</runtime>
</episodedetails>
`,
    )
    .join('')

const makeSeries = async (folder: string, series: SeriesTitle, scale: Scale): Promise<void> => {
  const seed = seedOf(series.title)
  await mkdir(folder, { recursive: true })
  const cover = await poster({ ...series, above: 'A series', below: `${series.genres.join('   ')}   ${series.year}`, ...scale.poster })
  await cover.jpeg({ quality: 86 }).toFile(join(folder, 'poster.jpg'))
  await drawnScene(series.scene, seed, scale.wide).jpeg({ quality: 84 }).toFile(join(folder, 'fanart.jpg'))
  await writeFile(join(folder, 'tvshow.nfo'), seriesNfo(series))
  if (series.layout === 'seasons') {
    const season = await poster({ ...series, title: `${series.title} Two`, above: 'The second season', ...scale.poster })
    await season.jpeg({ quality: 86 }).toFile(join(folder, 'season02-poster.jpg'))
  }
}

const makeEpisode = async (
  folder: string,
  series: SeriesTitle,
  { episode, number }: { episode: EpisodeFile; number: number },
  scale: Scale,
): Promise<void> => {
  const path = join(folder, episode.path)
  const seed = seedOf(episode.path)
  await mkdir(dirname(path), { recursive: true })
  const picture = number % 3 === 1 ? await photograph(series.scene, seed, scale.wide) : drawnScene(series.scene, seed, scale.wide)
  await panClip(`${path}.${number % 2 === 0 ? 'mkv' : 'mp4'}`, picture, { ...scale.clip, seed })
  if (episode.episodes.length > 0) await writeFile(`${path}.nfo`, episodeNfo(episode))
  if (number % 2 === 0) await writeSubtitles(path, scale.clip.seconds)
  if (number === 1) await drawnScene(series.scene, seed, scale.wide).jpeg({ quality: 84 }).toFile(`${path}-thumb.jpg`)
}

export const tvJobs = (root: string, scale: Scale): Job[] =>
  SERIES.slice(0, scale.series).flatMap((series) => {
    const folder = join(root, `${series.title} (${series.year})`)
    return [
      () => makeSeries(folder, series, scale),
      ...episodeFiles(series).map((episode, number) => () => makeEpisode(folder, series, { episode, number }, scale)),
    ]
  })
