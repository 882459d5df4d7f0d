import type { SceneKind } from './scenes.ts'

/** What the household owns. Every title, name and story is invented. */

export interface MovieTitle {
  title: string
  year: number
  runtimeMinutes: number
  rating: number
  genres: string[]
  scene: SceneKind
  plot: string
}

type MovieRow = [title: string, year: number, runtimeMinutes: number, rating: number, genres: string, scene: SceneKind, plot: string]

/** The first eight are the small collection; the rest come with the household's. */
const MOVIE_ROWS: readonly MovieRow[] = [
  [
    'The Salt Meridian',
    1994,
    118,
    7.9,
    'Adventure, Drama',
    'dunes',
    'Two surveyors cross a dry sea to draw the last line of a map that nobody will buy.',
  ],
  [
    'Harbour of Glass',
    2011,
    104,
    7.2,
    'Mystery',
    'sea',
    'A lighthouse keeper finds the same message in every bottle, and the handwriting is hers.',
  ],
  [
    'Nine Winters Out',
    1987,
    131,
    8.1,
    'Drama',
    'mountains',
    'A postman walks a valley once a year and carries one question for each house.',
  ],
  [
    'Night Bus to Orlow',
    2019,
    96,
    6.8,
    'Thriller',
    'city',
    'Eleven passengers, ten tickets, and a driver who never looks into the mirror.',
  ],
  [
    'The Orchard Engine',
    2003,
    109,
    7.5,
    'Fantasy, Family',
    'forest',
    'A girl winds up a machine in her grandfather’s orchard, and the trees begin to keep time.',
  ],
  [
    'Perihelion Nine',
    2016,
    142,
    8.4,
    'Science Fiction',
    'space',
    'The ninth crew reaches the station that eight others swore was never built.',
  ],
  [
    'A Small Theory of Birds',
    2008,
    92,
    7.0,
    'Comedy, Romance',
    'shapes',
    'An ornithologist who is afraid of heights falls for a roofer who is afraid of birds.',
  ],
  ['Copper Rain', 1978, 101, 7.7, 'Western', 'dunes', 'A mining town waits for rain; a stranger sells it by the bucket.'],
  [
    'The Lantern Census',
    2021,
    115,
    7.4,
    'Mystery, Drama',
    'city',
    'Every lamp in the old quarter is counted twice a year. This spring there is one too many.',
  ],
  ['Kingfisher Street', 1999, 98, 6.9, 'Drama', 'city', 'Three sisters inherit a house with four locked rooms.'],
  [
    'Low Tide Republic',
    2014,
    107,
    7.1,
    'Comedy',
    'sea',
    'For six hours a day a sandbank is a country, and somebody has to be its minister of fish.',
  ],
  [
    'The Cartographer’s Debt',
    1965,
    124,
    8.0,
    'Adventure',
    'mountains',
    'He drew a pass where there was none. Now a whole army wants to cross it.',
  ],
  ['Ember and Ash', 2018, 111, 6.6, 'Fantasy', 'dunes', 'The last fire of the desert is carried by a boy who may not sleep.'],
  ['Silent Orbit', 2001, 88, 6.3, 'Science Fiction, Thriller', 'space', 'A satellite answers a question that was never asked.'],
  ['The Wicker Choir', 1983, 94, 7.6, 'Horror', 'forest', 'The village sings once every thirty years. The choirmaster has come home.'],
  ['Sunday in Varna Court', 2006, 86, 6.7, 'Romance', 'shapes', 'A wedding, two witnesses and the wrong bride.'],
  ['Thin Ice Brigade', 1972, 119, 7.8, 'War, Drama', 'mountains', 'They were sent to hold the lake until the thaw.'],
  ['The Paper Admiral', 1958, 103, 7.3, 'Comedy', 'sea', 'A clerk commands a fleet that exists in the files alone.'],
  ['Blue Hour, Platform Six', 2012, 99, 7.5, 'Romance, Drama', 'city', 'They miss the same train for a year.'],
  ['The Moth Collector', 2022, 121, 7.9, 'Thriller', 'forest', 'He pins them by name. Tonight one of them rings at the door.'],
  [
    'Gravity’s Orphans',
    2015,
    127,
    7.2,
    'Science Fiction',
    'space',
    'Children born in free fall see the Earth for the first time, and refuse to land.',
  ],
  ['Two Rivers Down', 1991, 105, 7.0, 'Western, Drama', 'dunes', 'A ferryman and a widow share one boat and no words.'],
  ['The Clockmaker’s Holiday', 1949, 84, 7.4, 'Comedy, Family', 'shapes', 'For one week every clock in town may be wrong.'],
  ['Ashfield Junction', 2010, 113, 6.5, 'Crime', 'city', 'Four trains, one suitcase.'],
  ['Where the Pylons End', 2017, 108, 7.6, 'Drama', 'mountains', 'A linesman follows the last cable north.'],
  ['The Marzipan Heist', 2005, 91, 6.9, 'Comedy, Crime', 'shapes', 'It looks like gold, it weighs like gold, and it melts.'],
  ['Tundra Waltz', 1996, 117, 7.7, 'Romance', 'mountains', 'Two weather stations dance over the radio.'],
  ['Depth of Field', 2020, 95, 7.1, 'Thriller', 'sea', 'A diver photographs a wreck and, behind it, somebody who photographs her.'],
  ['The Hollow Comet', 1989, 112, 6.8, 'Science Fiction, Adventure', 'space', 'It comes every eighty years. This time a door is open.'],
  ['Foxglove Summer School', 2009, 90, 6.4, 'Comedy', 'forest', 'The worst pupils of the county are to found a village.'],
  ['The Quiet Auction', 2013, 106, 7.3, 'Mystery', 'city', 'Nobody bids, and yet everything is sold.'],
  ['Iron Meadow', 1968, 138, 8.2, 'War', 'dunes', 'A tank crew plants potatoes behind the front.'],
  [
    'Letters from the Stratosphere',
    2023,
    116,
    7.8,
    'Drama, Science Fiction',
    'space',
    'A balloonist writes home. The letters arrive before she leaves.',
  ],
  ['The Ferryman’s Apprentice', 1981, 102, 7.5, 'Fantasy', 'sea', 'The river has two banks; he is told never to ask about the third.'],
  ['Velvet Static', 1986, 97, 6.7, 'Thriller, Music', 'city', 'A late-night host plays a record that answers callers.'],
  ['Mandarin and Pine', 2002, 110, 7.4, 'Drama, Family', 'forest', 'Two grocers, one counter, forty years.'],
  ['The Sixth Lighthouse', 1977, 122, 7.9, 'Adventure', 'sea', 'Five are on the chart.'],
  ['Paper Moon Garage', 2007, 93, 6.6, 'Comedy', 'shapes', 'They repair everything but cars.'],
  ['The Glacier Keeps', 2018, 129, 8.0, 'Documentary', 'mountains', 'Forty years of one glacier, told by the family that measures it.'],
  ['Small Hours Telegraph', 1953, 89, 7.2, 'Crime, Drama', 'city', 'A telegraphist sends the right message to the wrong war.'],
  ['Birch Street Irregulars', 1990, 100, 6.9, 'Family, Mystery', 'forest', 'Five children, one missing tram.'],
  ['Red Kite Rising', 2016, 114, 6.8, 'Action', 'mountains', 'A smugglers’ pilot has one wing and one day.'],
  ['The Long Interval', 2000, 133, 7.7, 'Music, Drama', 'shapes', 'A conductor stops in the middle of a symphony and waits.'],
  ['Cinder Lane', 1974, 96, 7.0, 'Horror', 'city', 'Number nine burns down every night.'],
  ['Saltwater Algebra', 2019, 103, 7.3, 'Drama', 'sea', 'A teacher on an island with one pupil.'],
  ['Empire of Moss', 2014, 87, 8.3, 'Documentary', 'forest', 'A year on one square metre of ground.'],
  ['The Second Sun', 1997, 126, 6.5, 'Science Fiction, Action', 'space', 'It rises in the west.'],
  ['Caravan of Kites', 2011, 108, 7.6, 'Adventure, Family', 'dunes', 'A school moves across the desert with the wind.'],
  ['Eleven Umbrellas', 1963, 85, 7.1, 'Comedy, Romance', 'shapes', 'Lost property has never been so found.'],
  ['The Understudy’s Shadow', 2004, 109, 6.9, 'Thriller', 'city', 'Every night she plays the lead’s part, one row behind.'],
  ['Fjord Standard Time', 2022, 98, 7.5, 'Comedy', 'mountains', 'A village votes to be an hour late.'],
  ['Starling Road', 1985, 107, 7.2, 'Drama, Crime', 'forest', 'A road is built around the only witness.'],
  ['The Tin Horizon', 1992, 120, 6.6, 'Science Fiction', 'dunes', 'Salvagers find a ship older than the sand.'],
  [
    'Half a League of Rope',
    1979,
    111,
    7.8,
    'Adventure, Drama',
    'mountains',
    'Two climbers who are no longer on speaking terms share a rope.',
  ],
  ['Undertow Hotel', 2008, 101, 6.4, 'Horror, Mystery', 'sea', 'The guests check in at high tide.'],
  [
    'The Borrowed Observatory',
    2015,
    94,
    7.4,
    'Comedy, Science Fiction',
    'space',
    'Two students rent a telescope by the hour and find something by the minute.',
  ],
  ['Gentle Machines', 2021, 118, 7.7, 'Science Fiction, Drama', 'shapes', 'Retired robots open a café.'],
  ['Wolves of the Upper Town', 1970, 115, 7.3, 'Horror', 'city', 'They come down when the funicular stops.'],
  ['The Beekeeper’s Alibi', 2017, 92, 7.0, 'Crime, Comedy', 'forest', 'Sixty thousand witnesses and none of them talks.'],
  ['Last Light over Senna', 2024, 137, 8.1, 'Drama, War', 'dunes', 'One town, one bridge, one evening.'],
]

export const MOVIES: readonly MovieTitle[] = MOVIE_ROWS.map(([title, year, runtimeMinutes, rating, genres, scene, plot]) => ({
  title,
  year,
  runtimeMinutes,
  rating,
  genres: genres.split(', '),
  scene,
  plot,
}))

export interface SeriesTitle {
  title: string
  year: number
  genres: string[]
  scene: SceneKind
  plot: string
  /**
   * How its files lie: season folders with specials, all episodes in the series folder, files that hold two
   * episodes, names by date of broadcast, or season folders in another language.
   */
  layout: 'seasons' | 'flat' | 'double' | 'dated' | 'staffel'
  episodes: string[]
}

export const SERIES: readonly SeriesTitle[] = [
  {
    title: 'Northline',
    year: 2018,
    genres: ['Drama', 'Mystery'],
    scene: 'mountains',
    plot: 'The crew of a snowplough train keeps a forgotten railway open, and its stations keep their secrets.',
    layout: 'seasons',
    episodes: ['The First Mile', 'Whistle Post', 'A Cold Junction', 'Signal Box', 'The Drift', 'Thaw'],
  },
  {
    title: 'The Lamplighters',
    year: 2009,
    genres: ['Comedy', 'Fantasy'],
    scene: 'city',
    plot: 'Three apprentices light a city that runs on gas, gossip and a little magic.',
    layout: 'flat',
    episodes: ['Wick and Flame', 'The Upper Quarter', 'A Draught', 'Fogbound'],
  },
  {
    title: 'Morning Ferry',
    year: 2024,
    genres: ['Talk'],
    scene: 'sea',
    plot: 'Half an hour across the strait with one guest and no telephone.',
    layout: 'dated',
    episodes: ['2024-03-01', '2024-03-08', '2024-03-15'],
  },
  {
    title: 'Orbital Pantry',
    year: 2020,
    genres: ['Comedy', 'Science Fiction'],
    scene: 'space',
    plot: 'The kitchen of a very small space station.',
    layout: 'double',
    episodes: ['Dehydrated', 'Rehydrated', 'The Spoon Incident', 'Leftovers'],
  },
  {
    title: 'Hofgarten 7',
    year: 2015,
    genres: ['Krimi'],
    scene: 'forest',
    plot: 'Ein Kommissariat in einem Gewächshaus.',
    layout: 'staffel',
    episodes: ['Das Treibhaus', 'Rosenkrieg', 'Winterhart', 'Unter Glas'],
  },
  {
    title: 'Dune Patrol Radio',
    year: 1988,
    genres: ['Adventure'],
    scene: 'dunes',
    plot: 'Four voices and one transmitter in the widest desert on the map.',
    layout: 'seasons',
    episodes: ['Static', 'Call Sign', 'Skip Distance', 'Dead Air', 'Carrier Wave', 'Over and Out'],
  },
  {
    title: 'Geometry of Cats',
    year: 2022,
    genres: ['Animation', 'Family'],
    scene: 'shapes',
    plot: 'A triangle, a square and a circle share a flat with a cat that fits into all of them.',
    layout: 'flat',
    episodes: ['Acute', 'Obtuse', 'Right', 'Congruent', 'Parallel', 'Tangent'],
  },
]

export interface GameTitle {
  title: string
  scene: SceneKind
  /** The folder of the series that groups it. */
  series?: string
  platforms: ('windows' | 'linux' | 'macos' | 'app')[]
}

export const GAMES: readonly GameTitle[] = [
  { title: 'Pocket Orchard', scene: 'forest', platforms: ['windows', 'linux', 'macos', 'app'] },
  { title: 'Emberfall', scene: 'dunes', series: 'Emberfall Saga', platforms: ['windows'] },
  { title: 'Emberfall II - The Cold Forge', scene: 'mountains', series: 'Emberfall Saga', platforms: ['windows', 'linux'] },
  { title: 'Tidewright', scene: 'sea', platforms: ['linux'] },
  { title: 'Tram Tycoon 1962', scene: 'city', platforms: ['windows'] },
  { title: 'Lumen Drift', scene: 'space', series: 'Lumen', platforms: ['windows', 'macos'] },
  { title: 'Lumen Drift - Aphelion', scene: 'space', series: 'Lumen', platforms: ['windows'] },
  { title: 'Lumen Zero', scene: 'space', series: 'Lumen', platforms: ['linux'] },
  { title: 'Blockhead Bistro', scene: 'shapes', platforms: ['windows', 'linux'] },
  { title: 'Fellwalker', scene: 'mountains', platforms: ['windows', 'linux', 'macos'] },
  { title: 'Signal to Quiet', scene: 'city', platforms: ['macos'] },
  { title: 'Moss and Mortar', scene: 'forest', platforms: ['windows'] },
  { title: 'Sandglass Tactics', scene: 'dunes', platforms: ['linux'] },
  { title: 'Harbourmaster', scene: 'sea', platforms: ['windows', 'app'] },
  { title: 'Prism Parade', scene: 'shapes', platforms: ['windows'] },
  { title: 'The Last Funicular', scene: 'mountains', platforms: ['windows', 'macos'] },
]

export interface MangaTitle {
  title: string
  scene: SceneKind
  /** Archives, folders of images, or archives in folders of their own below the series. */
  layout: 'archives' | 'folders' | 'nested'
  volumes: number
  isRightToLeft: boolean
}

export const MANGA: readonly MangaTitle[] = [
  { title: 'Paper Lanterns', scene: 'city', layout: 'archives', volumes: 2, isRightToLeft: true },
  { title: 'Tidal Kitchen', scene: 'sea', layout: 'folders', volumes: 2, isRightToLeft: false },
  { title: 'Mountain Post', scene: 'mountains', layout: 'nested', volumes: 2, isRightToLeft: true },
  { title: 'Robot Gardener', scene: 'forest', layout: 'archives', volumes: 3, isRightToLeft: true },
  { title: 'Comet Girls’ Club', scene: 'space', layout: 'archives', volumes: 3, isRightToLeft: true },
  { title: 'Triangle Detective', scene: 'shapes', layout: 'archives', volumes: 2, isRightToLeft: false },
]

/** Lines of subtitles and balloons, by language. */
export const LINES = {
  en: [
    'Did you hear that?',
    'Nobody has come here for years.',
    'Then who lit the lamp?',
    'Hold the light a little higher.',
    'We should have brought a map.',
    'Listen: the tide is turning.',
  ],
  de: [
    'Hast du das gehört?',
    'Hier war seit Jahren niemand.',
    'Wer hat dann das Licht angemacht?',
    'Halt die Lampe etwas höher.',
    'Wir hätten eine Karte mitnehmen sollen.',
    'Hör doch: die Flut kommt.',
  ],
  ja: [
    '聞こえた？',
    'もう何年も誰も来ていない。',
    'じゃあ、誰が灯りを？',
    'もう少し高く持って。',
    '地図を持ってくればよかった。',
    '潮が変わる。',
  ],
} as const
