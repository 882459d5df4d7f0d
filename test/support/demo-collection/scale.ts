/** How large the demo's media are: the small collection serves tests, the household's is to be looked at. */
export interface Scale {
  clip: { seconds: number; width: number; height: number }
  poster: { width: number; height: number }
  wide: { width: number; height: number }
  page: { width: number; height: number }
  pagesPerVolume: number
  photoWidth: number
  /** How many entries of each list of the catalogue. */
  movies: number
  series: number
  games: number
  manga: number
  photosPerFolder: number
}

export type DemoSize = 'small' | 'household'

export const SCALES: Record<DemoSize, Scale> = {
  small: {
    clip: { seconds: 3, width: 320, height: 180 },
    poster: { width: 200, height: 300 },
    wide: { width: 480, height: 270 },
    page: { width: 300, height: 420 },
    pagesPerVolume: 20,
    photoWidth: 800,
    movies: 8,
    series: 4,
    games: 4,
    manga: 3,
    photosPerFolder: 3,
  },
  household: {
    clip: { seconds: 10, width: 640, height: 360 },
    poster: { width: 600, height: 900 },
    wide: { width: 1280, height: 720 },
    page: { width: 800, height: 1140 },
    pagesPerVolume: 20,
    photoWidth: 1800,
    movies: 60,
    series: 7,
    games: 16,
    manga: 6,
    photosPerFolder: 12,
  },
}

/** One thing to make, independent of all others, so that two can be made at once. */
export type Job = () => Promise<void>
