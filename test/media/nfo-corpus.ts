import type { NfoFields, NfoItemType } from '../../src/domain/nfo.ts'

/** Two hundred NFO files: sound ones, odd ones that people have, and broken ones, with what each has to say. */
export interface NfoCase {
  name: string
  itemType: NfoItemType
  content: string | Uint8Array
  /** Every field that is not named is empty; null where the file has to be refused. */
  expected: Partial<NfoFields> | null
  /** Episodes: the name of the video, without its ending. */
  stem?: string
}

export const NO_FIELDS: NfoFields = {
  title: null,
  sortTitle: null,
  plot: null,
  year: null,
  rating: null,
  genres: [],
  runtimeMinutes: null,
  airedAt: null,
}

export const MAX_BYTES = 1024 * 1024
const STEM = 'Show S02E03'

type Table = [name: string, content: string | Uint8Array, expected: Partial<NfoFields> | null][]

const casesOf = (itemType: NfoItemType, table: Table, stem?: string): NfoCase[] =>
  table.map(([name, content, expected]) => ({ name, itemType, content, expected, ...(stem === undefined ? {} : { stem }) }))

const movie = (inner: string): string => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<movie>\n${inner}\n</movie>\n`
const within = (inner: string, expected: Partial<NfoFields>): [string, Partial<NfoFields>] => [movie(inner), expected]

/** One tag, or a few, in a film's file: `name: inner XML => fields`. */
const tags = (field: string, rows: [inner: string, expected: Partial<NfoFields>][]): Table =>
  rows.map(([inner, expected]) => [`${field}: ${inner}`, ...within(inner, expected)])

const video = (inner: string): string => `<fileinfo><streamdetails><video>${inner}</video></streamdetails></fileinfo>`

const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0))
const utf16 = (text: string, { isBig = false, hasMark = true } = {}): Uint8Array => {
  const units = [...(hasMark ? [0xfeff] : []), ...Array.from({ length: text.length }, (_, place) => text.charCodeAt(place))]
  return Uint8Array.from(units.flatMap((unit) => (isBig ? [unit >> 8, unit & 255] : [unit & 255, unit >> 8])))
}
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const joined = (...parts: (readonly number[] | Uint8Array)[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]))

/** As Kodi exports a film, shortened. */
export const KODI_MOVIE = movie(`    <title>Amélie</title>
    <originaltitle>Le fabuleux destin d'Amélie Poulain</originaltitle>
    <sorttitle>Amelie</sorttitle>
    <ratings>
        <rating name="themoviedb" max="10"><value>7.900000</value><votes>10000</votes></rating>
        <rating name="imdb" max="10" default="true"><value>8.300000</value><votes>700000</votes></rating>
        <rating name="tomatometerallcritics" max="100"><value>89.0</value></rating>
    </ratings>
    <userrating>9</userrating>
    <outline>Short.</outline>
    <plot>Amélie decides to help those around her.&#13;
Along the way she discovers love.</plot>
    <tagline>She&apos;ll change your life.</tagline>
    <runtime>122</runtime>
    <thumb aspect="poster" preview="https://image.example/p.jpg">https://image.example/o.jpg</thumb>
    <fanart><thumb>https://image.example/f.jpg</thumb></fanart>
    <mpaa>R</mpaa>
    <uniqueid type="imdb" default="true">tt0211915</uniqueid>
    <genre>Comedy</genre>
    <genre>Romance</genre>
    <country>France</country>
    <set><name>None</name><overview>A set.</overview></set>
    <premiered>2001-04-25</premiered>
    <year>2001</year>
    <fileinfo><streamdetails><video><durationinseconds>7320</durationinseconds><rating>3</rating></video></streamdetails></fileinfo>
    <actor><name>Audrey Tautou</name><role>Amélie</role><order>0</order><title>Not a title</title></actor>
    <dateadded>2020-01-01 00:00:00</dateadded>`)

const AMELIE: NfoFields = {
  title: 'Amélie',
  sortTitle: 'Amelie',
  plot: 'Amélie decides to help those around her.\nAlong the way she discovers love.',
  year: 2001,
  rating: 8.3,
  genres: ['Comedy', 'Romance'],
  runtimeMinutes: 122,
  airedAt: '2001-04-25',
}

const FIELDS: Table = [
  ['a whole film as Kodi writes it', KODI_MOVIE, AMELIE],
  ...tags('title', [
    ['<title>1917</title>', { title: '1917' }],
    ['<title>007</title>', { title: '007' }],
    ['<title>1e5</title>', { title: '1e5' }],
    ['<title>0x10</title>', { title: '0x10' }],
    ['<title>true</title>', { title: 'true' }],
    ['<title>  Two\n   lines </title>', { title: 'Two lines' }],
    ['<title><![CDATA[Tom & Jerry <3]]></title>', { title: 'Tom & Jerry <3' }],
    ['<title>Tom &amp; Jerry</title>', { title: 'Tom & Jerry' }],
    ['<title>Tom & Jerry</title>', { title: 'Tom & Jerry' }],
    ['<title>AT&T; R&D &</title>', { title: 'AT&T; R&D &' }],
    ['<title>&quot;A&quot; &lt;b&gt; &apos;c&apos;</title>', { title: '"A" <b> \'c\'' }],
    ['<title>Am&#233;lie &#xE9; &#x1F600;</title>', { title: 'Amélie é 😀' }],
    ['<title>Am&eacute;lie &ndash; caf&eacute;</title>', { title: 'Amélie – café' }],
    ['<title>&amp;eacute;</title>', { title: '&eacute;' }],
    ['<title>&unknown; &constructor;</title>', { title: '&unknown; &constructor;' }],
    ['<title>a&#0;b&#8;c&#xFFFF;d&#xD800;e</title>', { title: 'abcde' }],
    ['<title>a\u0000b\u0007c\u001bd</title>', { title: 'abcd' }],
    ['<title>a<!-- not -- this --> b</title>', { title: 'a b' }],
    ['<title>a <i>b</i> c</title>', { title: 'a b c' }],
    ['<title>a ]]> b</title>', { title: 'a ]]> b' }],
    ['<title>千と千尋の神隠し</title>', { title: '千と千尋の神隠し' }],
    ['<title>مرحبا</title>', { title: 'مرحبا' }],
    ['<title></title>', {}],
    ['<title/>', {}],
    ['<title>   </title>', {}],
    ['<title><![CDATA[]]></title>', {}],
    ['<title>First</title><title>Second</title>', { title: 'Second' }],
    ['<title>First</title><title/>', { title: 'First' }],
    ['<name>By name</name>', { title: 'By name' }],
    ['<localtitle>Local</localtitle>', { title: 'Local' }],
    ['<title lang="en" foo="&amp;">Attributes</title>', { title: 'Attributes' }],
    ['<Title>Not ours</Title>', {}],
    ['<originaltitle>Original</originaltitle>', {}],
    ['<sorttitle>Alien 1</sorttitle><title>Alien</title>', { title: 'Alien', sortTitle: 'Alien 1' }],
    ['<foo:title>A namespace</foo:title>', {}],
    ['<movie><title>Deeper</title></movie>', {}],
    [`<title>${'x'.repeat(600)}</title>`, { title: 'x'.repeat(500) }],
    [`<title>${'😀'.repeat(300)}</title>`, { title: '😀'.repeat(250) }],
    [`<title>${'x'.repeat(499)}😀</title>`, { title: 'x'.repeat(499) }],
    ['<title><script>alert(1)</script></title>', { title: 'alert(1)' }],
    ['<__proto__>1</__proto__><constructor>2</constructor><title>Proto</title>', { title: 'Proto' }],
  ]),
  ...tags('plot', [
    ['<plot>One.\r\n\r\n\r\n\r\n  Two.</plot>', { plot: 'One.\n\nTwo.' }],
    ['<plot>First</plot><plot>Last</plot>', { plot: 'Last' }],
    ['<plot>Plot</plot><review>Review</review>', { plot: 'Review' }],
    ['<biography>Life</biography>', { plot: 'Life' }],
    ['<outline>Outline</outline>', { plot: 'Outline' }],
    ['<outline>Outline</outline><plot>Plot</plot>', { plot: 'Plot' }],
    ['<plot></plot><outline>Outline</outline>', { plot: 'Outline' }],
    [`<plot>${'word '.repeat(5000)}</plot>`, { plot: 'word '.repeat(4000).trim() }],
    ['<tagline>Tagline</tagline>', {}],
  ]),
  ...tags('year', [
    ['<year>1979</year>', { year: 1979 }],
    ['<year> 1979 </year>', { year: 1979 }],
    ['<year>1851</year>', { year: 1851 }],
    ['<year>1850</year>', {}],
    ['<year>0</year>', {}],
    ['<year>19790</year>', {}],
    ['<year>-1979</year>', {}],
    ['<year>1979.5</year>', {}],
    ['<year>MCMLXXIX</year>', {}],
    ['<year>0</year><premiered>1979-05-25</premiered>', { year: 1979, airedAt: '1979-05-25' }],
    ['<year>1980</year><premiered>1979-05-25</premiered>', { year: 1980, airedAt: '1979-05-25' }],
    ['<premiered>1979</premiered>', { year: 1979 }],
  ]),
  ...tags('date', [
    ['<premiered>1979-05-25</premiered>', { year: 1979, airedAt: '1979-05-25' }],
    ['<aired>1979-05-25</aired>', { year: 1979, airedAt: '1979-05-25' }],
    ['<releasedate>1979-05-25</releasedate>', { year: 1979, airedAt: '1979-05-25' }],
    ['<formed>1979-05-25</formed>', { year: 1979, airedAt: '1979-05-25' }],
    ['<premiered>1979-05-25T20:00:00Z</premiered>', { year: 1979, airedAt: '1979-05-25' }],
    ['<premiered>1979-02-30</premiered>', { year: 1979 }],
    ['<premiered>1979-13-01</premiered>', { year: 1979 }],
    ['<premiered>25.05.1979</premiered>', {}],
    ['<premiered>0000-00-00</premiered>', {}],
    ['<premiered>2000-02-29</premiered>', { year: 2000, airedAt: '2000-02-29' }],
  ]),
  ...tags('runtime', [
    ['<runtime>120</runtime>', { runtimeMinutes: 120 }],
    ['<runtime>120 min</runtime>', { runtimeMinutes: 120 }],
    ['<runtime>120min.</runtime>', { runtimeMinutes: 120 }],
    ['<runtime> 95 minutes </runtime>', { runtimeMinutes: 95 }],
    ['<runtime>1h 30min</runtime>', { runtimeMinutes: 90 }],
    ['<runtime>2 hours</runtime>', { runtimeMinutes: 120 }],
    ['<runtime>0</runtime>', {}],
    ['<runtime>-5</runtime>', {}],
    ['<runtime>99999</runtime>', {}],
    ['<runtime>1:30:00</runtime>', {}],
    ['<runtime>long</runtime>', {}],
    // Sonarr writes nothing else (Jellyfin, "Sonarr-Thumb.nfo").
    [video('<durationinseconds>1421</durationinseconds>'), { runtimeMinutes: 24 }],
    [`<runtime>0</runtime>${video('<durationinseconds>6268</durationinseconds>')}`, { runtimeMinutes: 104 }],
    [`<runtime>120</runtime>${video('<durationinseconds>6268</durationinseconds>')}`, { runtimeMinutes: 120 }],
    [video('<durationinseconds>0</durationinseconds><duration>23.68</duration>'), {}],
    [video('<durationinseconds>2 h</durationinseconds>'), {}],
  ]),
  ...tags('rating', [
    ['<rating>8.5</rating>', { rating: 8.5 }],
    ['<rating>8,5</rating>', { rating: 8.5 }],
    ['<rating>10</rating>', { rating: 10 }],
    ['<rating>0</rating>', { rating: 0 }],
    ['<rating>7.900000</rating>', { rating: 7.9 }],
    ['<rating>8.5/10</rating>', { rating: 8.5 }],
    ['<rating max="100">85</rating>', { rating: 8.5 }],
    ['<rating>10.1</rating>', {}],
    ['<rating>85</rating>', {}],
    ['<rating>-1</rating>', {}],
    ['<rating>1e1</rating>', {}],
    ['<rating>NaN</rating>', {}],
    ['<rating>Infinity</rating>', {}],
    ['<rating max="0">5</rating>', {}],
    ['<rating max="ten">5</rating>', {}],
    ['<ratings><rating name="imdb"><value>6.1</value></rating></ratings>', { rating: 6.1 }],
    [
      '<ratings><rating name="a"><value>1</value></rating><rating name="b" default="true"><value>2</value></rating></ratings>',
      { rating: 2 },
    ],
    ['<rating>3</rating><ratings><rating name="a"><value>1</value></rating></ratings>', { rating: 3 }],
    [
      '<ratings><rating name="tomatometer" max="100"><value>90</value></rating><rating name="imdb"><value>7</value></rating></ratings>',
      { rating: 7 },
    ],
    ['<ratings><rating name="imdb" max="100" default="true"><value>81</value></rating></ratings>', { rating: 8.1 }],
    ['<userrating>9</userrating><criticrating>80</criticrating>', {}],
    // Jellyfin, "CommunityRating.nfo", "…_Comma" and "…_OutOfRange".
    ['<communityrating>7.5</communityrating>', { rating: 7.5 }],
    ['<communityrating>7,5</communityrating>', { rating: 7.5 }],
    ['<communityrating>15.5</communityrating>', {}],
    ['<communityrating>7.5</communityrating><rating>8</rating>', { rating: 8 }],
  ]),
  ...tags('genre', [
    ['<genre>Horror</genre><genre>Drama</genre>', { genres: ['Horror', 'Drama'] }],
    ['<genre>Horror / Drama</genre>', { genres: ['Horror', 'Drama'] }],
    ['<genre>Sci-Fi/Fantasy</genre>', { genres: ['Sci-Fi/Fantasy'] }],
    ['<genre>Horror</genre><genre>horror</genre><genre> HORROR </genre>', { genres: ['Horror'] }],
    ['<genre></genre><genre> / </genre>', {}],
    ['<genre>Film-Noir</genre><genre clear="true">Western</genre>', { genres: ['Film-Noir', 'Western'] }],
    [Array.from({ length: 80 }, (_, i) => `<genre>G${i}</genre>`).join(''), { genres: Array.from({ length: 50 }, (_, i) => `G${i}`) }],
  ]),
]

const ALIEN = movie('<title>Alién</title>')
const SAID = { title: 'Alién' }

const FORMS: Table = [
  ['UTF-8 with a byte order mark', joined([0xef, 0xbb, 0xbf], utf8(ALIEN)), SAID],
  ['UTF-16, little end first', utf16(ALIEN.replace('UTF-8', 'UTF-16')), SAID],
  ['UTF-16, big end first', utf16(ALIEN.replace('UTF-8', 'UTF-16'), { isBig: true }), SAID],
  ['UTF-16 without a mark', utf16(ALIEN, { hasMark: false }), SAID],
  ['UTF-16, big end first, without a mark', utf16(ALIEN, { isBig: true, hasMark: false }), SAID],
  ['UTF-8 that calls itself UTF-16', utf8(ALIEN.replace('UTF-8', 'utf-16')), SAID],
  ['Latin-1 that says so', latin1(ALIEN.replace('UTF-8', 'ISO-8859-1')), SAID],
  ['Windows-1252 that says so', latin1(ALIEN.replace('UTF-8', 'windows-1252')), SAID],
  ['Latin-1 in single quotes', latin1(ALIEN.replace('"UTF-8"', "'latin1'")), SAID],
  [
    'Windows-1251',
    joined(latin1('<?xml version="1.0" encoding="windows-1251"?><movie><title>'), [0xcc, 0xe8, 0xf0], latin1('</title></movie>')),
    { title: 'Мир' },
  ],
  [
    'Shift JIS',
    joined(latin1('<?xml version="1.0" encoding="Shift_JIS"?><movie><title>'), [0x93, 0xfa, 0x96, 0x7b], latin1('</title></movie>')),
    { title: '日本' },
  ],
  [
    'GB 18030',
    joined(latin1('<?xml version="1.0" encoding="gb18030"?><movie><title>'), [0xd6, 0xd0], latin1('</title></movie>')),
    { title: '中' },
  ],
  ['an encoding that nobody knows', utf8(ALIEN.replace('UTF-8', 'x-martian')), SAID],
  [
    'UTF-8 with a byte that is none',
    joined(utf8('<movie><title>日本語の題名とその他の文字'), [0xff], utf8('b</title></movie>')),
    { title: '日本語の題名とその他の文字\ufffdb' },
  ],
  ['Latin-1 without a declaration', latin1('<movie><title>Alién</title></movie>'), SAID],
  ['Latin-1 that calls itself UTF-8', latin1(ALIEN), SAID],
  [
    'Windows-1252 with a quotation mark that Latin-1 has not',
    joined(latin1('<movie><title>Ocean'), [0x92], latin1('s Eleven</title></movie>')),
    { title: 'Ocean’s Eleven' },
  ],
  ['no declaration', '<movie><title>Alién</title></movie>', SAID],
  ['white space before the declaration', `\r\n  ${ALIEN}`, SAID],
  ['two declarations', `<?xml version="1.0"?>${ALIEN}`, SAID],
  ['XML 1.1', ALIEN.replace('1.0', '1.1'), SAID],
  [
    'comments and instructions around the root',
    `<!-- made by hand -- twice -->\n<?xml-stylesheet href="a.xsl"?>${ALIEN}<!-- end -->`,
    SAID,
  ],
  ['a root named in a comment', `<!-- <movie><title>No</title></movie> -->${ALIEN}`, SAID],
  ['attributes on the root', '<movie xmlns:xsi="http://a/" xsi:x="1 > 0"><title>Alién</title></movie>', SAID],
  ['an address behind the root', `${ALIEN}https://www.themoviedb.org/movie/348?language=en&x=1`, SAID],
  ['several addresses behind the root', `${ALIEN}\nhttp://a.example/?a=b&c\nhttp://b.example/<1>\n`, SAID],
  ['binary junk behind the root', `${ALIEN}\u0000\u0001<<>>&&&`, SAID],
  ['an end without a beginning behind the root', `${ALIEN}</movie>`, SAID],
  ['another kind of root behind it', `${ALIEN}<tvshow><title>Other</title></tvshow>`, SAID],
  ['the same film twice', `${ALIEN}${ALIEN.replace('Alién', 'Other')}`, SAID],
  ['words before the root', `See below.\n${ALIEN}`, SAID],
  ['an empty root', '<movie></movie>', {}],
  ['a closed root', '<movie />', {}],
  ['nothing that we know', movie('<studio>Fox</studio><nested><a><b><c/></b></a></nested>'), {}],
  ['one line', ALIEN.replaceAll('\n', ''), SAID],
  ['carriage returns alone', ALIEN.replaceAll('\n', '\r'), SAID],
  ['elements sixty deep', movie(`${'<a>'.repeat(60)}${'</a>'.repeat(60)}<title>Alién</title>`), SAID],
  ['just one mebibyte', ALIEN.padEnd(MAX_BYTES - 1, ' '), SAID],
  ['a mebibyte of one element', movie(`<title>Alién</title><x>${'y'.repeat(MAX_BYTES - 200)}</x>`), SAID],
  [
    'thousands of actors',
    movie(`<title>Alién</title>${'<actor><name>A B</name><role>C</role><order>1</order></actor>'.repeat(5000)}`),
    SAID,
  ],
  ['thousands of genres', movie(`<title>Alién</title>${'<genre>Horror</genre>'.repeat(20_000)}`), { ...SAID, genres: ['Horror'] }],
]

const MARK = '<!DOCTYPE movie'

const BROKEN: Table = [
  ['nothing', '', null],
  ['white space', ' \n\t', null],
  ['words', 'This is the best film ever.', null],
  ['an address alone', 'https://www.themoviedb.org/movie/348-alien', null],
  ['a drawing in characters', '░▒▓ ALIEN ▓▒░\n < RELEASED BY > GROUP &\n', null],
  ['JSON', '{"title": "Alien"}', null],
  ['a picture', Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70, 73, 70]), null],
  ['zeros', new Uint8Array(1000), null],
  ['HTML', '<html><head><title>Alien</title></head><body><br></body></html>', null],
  ['a declaration alone', '<?xml version="1.0"?>', null],
  ['the root of a series', '<tvshow><title>Alien</title></tvshow>', null],
  ['the root of an episode', '<episodedetails><title>Alien</title></episodedetails>', null],
  ['the root in capitals', '<MOVIE><title>Alien</title></MOVIE>', null],
  ['a root around the root', `<kodi>${ALIEN}</kodi>`, null],
  ['a wrapper of episodes around a film', `<xbmcmultiepisode>${ALIEN}</xbmcmultiepisode>`, null],
  ['a longer name of the root', '<movies><title>Alien</title></movies>', null],
  ['an end that is missing', '<movie><title>Alien</title>', null],
  ['a tag that is not closed', '<movie><title>Alien</movie>', null],
  ['tags that cross', '<movie><title>Alien</movie></title>', null],
  ['an end of another tag', '<movie><title>Alien</titel></movie>', null],
  ['a cut tag', '<movie><title>Alien</title></movie', null],
  ['an open CDATA section', '<movie><title><![CDATA[Alien</title></movie>', null],
  ['an open comment', '<movie><!-- <title>Alien</title></movie>', null],
  ['an attribute without quotes', '<movie><title lang=en>Alien</title></movie>', null],
  ['an attribute twice', '<movie><title a="1" a="2">Alien</title></movie>', null],
  ['an angle in a text', '<movie><title>1 < 2</title></movie>', null],
  ['a second film that is cut off', `${ALIEN}<movie><title>Al`, null],
  ['a document type', `${MARK}><movie><title>Alien</title></movie>`, null],
  ['a document type behind the root', `${ALIEN}${MARK}>`, null],
  ['a document type in small letters', `${MARK.toLowerCase()}>${ALIEN}`, null],
  ['an entity of its own', `${MARK} [<!ENTITY t "Alien">]><movie><title>&t;</title></movie>`, null],
  ['an entity that reads a file', `${MARK} [<!ENTITY t SYSTEM "file:///etc/passwd">]><movie><title>&t;</title></movie>`, null],
  ['an entity that calls out', `${MARK} [<!ENTITY % t SYSTEM "http://127.0.0.1:1/x.dtd"> %t;]><movie/>`, null],
  ['a document type from outside', `${MARK} SYSTEM "http://127.0.0.1:1/x.dtd"><movie><title>Alien</title></movie>`, null],
  [
    'a billion laughs',
    `${MARK} [<!ENTITY a "ha">${'bcdefghi'.replaceAll(/./g, (name) => `<!ENTITY ${name} "${`&${String.fromCharCode(name.charCodeAt(0) - 1)};`.repeat(10)}">`)}]><movie><title>&i;</title></movie>`,
    null,
  ],
  ['a hundred deep', movie(`${'<a>'.repeat(100)}${'</a>'.repeat(100)}`), null],
  ['thousands deep', movie(`${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}`), null],
  ['a byte more than a mebibyte', ALIEN.padEnd(MAX_BYTES, ' ').slice(0, MAX_BYTES).concat(' '), null],
  ['sixteen mebibytes', movie('<genre>x</genre>'.repeat(MAX_BYTES)), null],
  ['a mebibyte of tags', movie('<a/>'.repeat(250_000)), null],
  ['a mebibyte of ampersands', movie('&'.repeat(1_000_000)), null],
  ['a mebibyte of openings', '<'.repeat(1_000_000), null],
  ['a mebibyte of open comments', '<movie>'.concat('<!--'.repeat(250_000)), null],
  ['a mebibyte of open sections', '<movie>'.concat('<![CDATA['.repeat(110_000)), null],
]

const show = (inner: string): string => `<tvshow>${inner}</tvshow>`
const SHOWS: Table = [
  [
    'a series',
    show('<title>Firefly</title><plot>Cowboys.</plot><premiered>2002-09-20</premiered><genre>Western</genre><status>Ended</status>'),
    { title: 'Firefly', plot: 'Cowboys.', year: 2002, airedAt: '2002-09-20', genres: ['Western'] },
  ],
  [
    'a series with named seasons and a guide',
    show(
      '<title>Firefly</title><namedseason number="1">One</namedseason><episodeguide><url cache="1">http://a/&amp;b</url></episodeguide>',
    ),
    { title: 'Firefly' },
  ],
  ['a series and an address', `${show('<title>Firefly</title>')}https://thetvdb.com/?tab=series&id=78874`, { title: 'Firefly' }],
  ['a film for a series', '<movie><title>Serenity</title></movie>', null],
  ['a cut series', '<tvshow><title>Firefly</title><plot>Cow', null],
]

const episode = (season: number | '', number: number | '', title: string, more = ''): string =>
  `<episodedetails><title>${title}</title><season>${season}</season><episode>${number}</episode>${more}</episodedetails>`
const STACK = [
  episode(2, 2, 'Two'),
  episode(2, 3, 'Three', '<plot>Third.</plot><aired>2003-01-03</aired>'),
  episode(2, 4, 'Four', '<plot>Fourth.</plot>'),
]
const wrapped = (root: string, parts: readonly string[]): string =>
  `<?xml version="1.0"?>\n<${root} xmlns:a="http://a/">${parts.join('\n')}</${root}>`
const THREE = { title: 'Three', plot: 'Third.', airedAt: '2003-01-03', year: 2003 }
const THREE_AND_FOUR = { ...THREE, title: 'Three / Four', plot: 'Third. / Fourth.' }

const EPISODES: NfoCase[] = [
  ...casesOf(
    'tv_episode',
    [
      ['an episode', episode(2, 3, 'Three'), { title: 'Three' }],
      ['an episode whose numbers are others: the name of the file decides', episode(9, 9, 'Three'), { title: 'Three' }],
      ['an episode without numbers', episode('', '', 'Three'), { title: 'Three' }],
      [
        "the day of the episode, not that of the series' first",
        episode(2, 3, 'Three', '<premiered>2002-01-01</premiered><aired>2003-01-03</aired>'),
        { title: 'Three', airedAt: '2003-01-03', year: 2003 },
      ],
      ['stacked episodes', STACK.join('\n'), THREE],
      [
        'stacked episodes, each with a declaration',
        STACK.map((part) => `<?xml version="1.0" encoding="UTF-8"?>\n${part}`).join('\n'),
        THREE,
      ],
      ['stacked episodes in another order, and an address', `${STACK.toReversed().join('')}http://a.example/?a&b`, THREE],
      ['stacked episodes without seasons', STACK.join('').replaceAll('<season>2</season>', ''), THREE],
      ['stacked episodes of several seasons', [episode(1, 3, 'One'), ...STACK].join(''), THREE],
      ['stacked episodes without this one', [episode(2, 1, 'One'), episode(2, 2, 'Two')].join(''), null],
      ['stacked episodes, the last one cut', STACK.join('').slice(0, -30), null],
      ['stacked episodes, one of them broken', [STACK[0], '<episodedetails><title>x</episodedetails>', STACK[1]].join(''), null],
      // What Sick Beard and its heirs write, and Media Companion (Plex's XBMCnfoTVImporter takes both away before it reads).
      ['episodes of Sick Beard', wrapped('xbmcmultiepisode', STACK), THREE],
      ['episodes of Media Companion, and an address', `${wrapped('multiepisodenfo', STACK)}\nhttp://a.example/?a&b`, THREE],
      ['one episode of Sick Beard', wrapped('xbmcmultiepisode', [episode(9, 9, 'Three')]), { title: 'Three' }],
      ['no episode of Sick Beard', wrapped('xbmcmultiepisode', []), null],
      ['a wrapper within a wrapper', wrapped('xbmcmultiepisode', [wrapped('xbmcmultiepisode', STACK)]), null],
      ['a wrapper around a film', wrapped('xbmcmultiepisode', ['<movie><title>Three</title></movie>']), null],
      ['a wrapper whose last episode is cut', wrapped('xbmcmultiepisode', STACK).slice(0, -60), null],
      ['the root of a film', '<movie><title>Three</title></movie>', null],
      ['a document type before episodes', `<!DOCTYPE x>${STACK.join('')}`, null],
    ],
    STEM,
  ),
  ...casesOf(
    'tv_episode',
    [
      ['stacked episodes of a file that holds two', STACK.join(''), THREE_AND_FOUR],
      ['stacked episodes of a file that holds two, in another order', STACK.toReversed().join(''), THREE_AND_FOUR],
      ['one episode of a file that holds two', episode(2, 3, 'Both'), { title: 'Both' }],
      ['stacked episodes with one text', [episode(2, 3, 'Same'), episode(2, 4, 'Same')].join(''), { title: 'Same' }],
      ['stacked episodes, one without a title', [episode(2, 3, ''), episode(2, 4, 'Four')].join(''), { title: 'Four' }],
    ],
    `${STEM}-E04`,
  ),
]

/** A sound file, cut at so many places: none of the pieces is one. */
const CUTS = 24
const cutAt = (part: number): string => KODI_MOVIE.trimEnd().slice(0, Math.floor(((part + 1) * (KODI_MOVIE.trimEnd().length - 1)) / CUTS))
const TRUNCATED: Table = Array.from({ length: CUTS }, (_, part) => [`cut after ${part + 1}/${CUTS}`, cutAt(part), null])

export const NFO_CORPUS: readonly NfoCase[] = [
  ...casesOf('movie', FIELDS),
  ...casesOf('movie', FORMS),
  ...casesOf('movie', BROKEN),
  ...casesOf('movie', TRUNCATED),
  ...casesOf('tv_series', SHOWS),
  ...EPISODES,
]
