import { mkdir, writeFile } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { MOVIES, type MovieTitle } from './catalogue.ts'
import { panClip, writeSubtitles } from './clips.ts'
import { personName, poster } from './posters.ts'
import type { Job, Scale } from './scale.ts'
import { drawnScene, photograph, randomFrom, seedOf } from './scenes.ts'

/** One folder per film: video, poster, backdrop, NFO, subtitles; some with versions, parts or extras. */

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const movieNfo = ({ title, year, plot, rating, genres, runtimeMinutes }: MovieTitle): string => {
  const random = randomFrom(seedOf(title))
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<movie>
  <title>${escapeXml(title)}</title>
  <year>${year}</year>
  <rating>${rating.toFixed(1)}</rating>
  <plot>${escapeXml(plot)}</plot>
  <runtime>${runtimeMinutes}</runtime>
${genres.map((genre) => `  <genre>${escapeXml(genre)}</genre>`).join('\n')}
  <director>${personName(random)}</director>
  <actor><name>${personName(random)}</name><role>Lead</role></actor>
  <actor><name>${personName(random)}</name><role>Stranger</role></actor>
</movie>
`
}

/** A colon cannot stand in a file name everywhere; the rest of the title does. */
const folderName = ({ title, year }: MovieTitle): string => `${title.replaceAll(':', ' -')} (${year})`

/** What lies in the folder besides the usual, by the film's place in the list. */
const videoNames = (base: string, index: number): string[] => {
  if (index === 1) return [`${base} - 1080p.mp4`, `${base} - 720p.mkv`]
  if (index === 2) return [`${base} - part1.mp4`, `${base} - part2.mp4`]
  if (index === 3) return [`${base}.mp4`, 'extras/Making of.mp4', `${base}-trailer.mp4`]
  return [`${base}.${index % 3 === 0 ? 'mkv' : 'mp4'}`]
}

const makeMovie = async (root: string, movie: MovieTitle, index: number, scale: Scale): Promise<void> => {
  const name = folderName(movie)
  const folder = join(root, name)
  const seed = seedOf(movie.title)
  const random = randomFrom(seed + 1)
  await mkdir(join(folder, index === 3 ? 'extras' : '.'), { recursive: true })
  const cover = await poster({
    ...movie,
    above: `A film by ${personName(random)}`,
    below: `${personName(random)}   ${personName(random)}   ${movie.year}`,
    ...scale.poster,
  })
  await cover.jpeg({ quality: 86, progressive: true }).toFile(join(folder, index % 5 === 4 ? 'folder.jpg' : 'poster.jpg'))
  await drawnScene(movie.scene, seed, scale.wide)
    .jpeg({ quality: 84 })
    .toFile(join(folder, index % 4 === 3 ? 'backdrop.jpg' : 'fanart.jpg'))
  // Every seventh film has no NFO: its title comes from the folder's name.
  if (index % 7 !== 6) await writeFile(join(folder, index % 2 === 0 ? 'movie.nfo' : `${name}.nfo`), movieNfo(movie))
  const videos = videoNames(name, index)
  for (const [number, video] of videos.entries()) {
    const picture =
      index % 3 === 2 ? await photograph(movie.scene, seed + number, scale.wide) : drawnScene(movie.scene, seed + number, scale.wide)
    await panClip(join(folder, video), picture, { ...scale.clip, seed: seed + number })
  }
  if (index % 2 === 0) await writeSubtitles(join(folder, parse(videos[0] ?? name).name), scale.clip.seconds)
}

export const movieJobs = (root: string, scale: Scale): Job[] => [
  ...MOVIES.slice(0, scale.movies).map((movie, index) => () => makeMovie(root, movie, index, scale)),
  // A film that lies loose in the library's folder, as they do in real ones.
  async () => {
    await mkdir(root, { recursive: true })
    await panClip(join(root, 'Holiday Reel (2006).mp4'), await photograph('sea', 77, scale.wide), { ...scale.clip, seed: 77 })
  },
]
