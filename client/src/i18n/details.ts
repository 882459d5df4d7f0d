/** The English texts of items, the viewer and the player, loaded along with them. */

import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { formatCount } from '../primitives/format.ts'
import { english } from './en.ts'

const texts = {
  item: {
    play: 'Play',
    resume: (position: string) => `Resume from ${position}`,
    startOver: 'Start over',
    read: 'Read',
    files: 'Files',
    file: 'File',
    platform: 'Platform',
    fileSize: 'Size',
    unknownSize: 'Size unknown',
    zippedOnDownload: 'Zipped on download, size unknown',
    copyLink: 'Copy link',
    about: 'About',
    screenshots: 'Screenshots',
    noScreenshots: 'No screenshots yet',
    screenshot: (index: number) => `Screenshot ${index}`,
    genres: 'Genres',
    tags: 'Tags',
    seriesOf: 'Series',
    noDescription: 'There is no description yet.',
    added: (date: string) => `Added ${date}`,
    rating: (rating: string) => `Rated ${rating} of 10`,
    downloadFor: (platform: string) => `Download for ${platform}`,
    tabs: 'Sections',
    roles: { main: 'Film', part: 'Part', version: 'Version', extra: 'Extra' },
    platforms: { windows: 'Windows', linux: 'Linux', macos: 'macOS' },
  },
  tv: {
    seasons: 'Seasons',
    episodes: 'Episodes',
    playNext: (label: string) => `Play ${label}`,
    season: (number: number) => `Season ${number}`,
    specials: 'Specials',
    search: 'Search this season',
    noEpisodesHeading: 'No episodes',
    noEpisodes: 'The last scan found no videos in this season.',
    noSeasons: 'The last scan found no seasons in this series.',
  },
  manga: {
    volumes: 'Volumes',
    page: (page: number) => `Page ${page}`,
    noVolumesHeading: 'No volumes',
    noVolumes: 'The last scan found no archives or page folders in this series.',
  },
  gameSeries: { games: 'Games', noGamesHeading: 'No games', noGames: 'The last scan found no games in this series.' },
  viewer: {
    label: 'Viewer',
    previous: 'Previous item',
    next: 'Next item',
    counter: (position: number, count: number) => `${formatCount(position)} / ${formatCount(count)}`,
    close: 'Close viewer',
    original: 'Open original',
    noPreview: 'There is no preview for this file.',
    pagesHeading: 'This volume has no pages',
    info: 'Details',
    path: 'Path',
    dimensions: 'Dimensions',
    pixels: (width: number, height: number) => `${width} × ${height}`,
    duration: 'Duration',
    fileType: 'Type',
  },
  player: {
    unplayableHeading: 'This browser cannot play the file',
    unplayable: 'Its container or codec is not supported here. Download it to play it with another program.',
    resumed: (position: string) => `Resumed at ${position}`,
  },
}

const dictionary = flatten({ ...english, ...texts })

/** The text of a key of these screens, or of those that all have. */
export const t = translator(() => dictionary, resolveTemplate)
