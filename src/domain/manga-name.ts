/**
 * Volume and chapter numbers from the name of a manga archive or folder. They order and label; they never decide what
 * belongs to which series, as that is the folder's business (Komga's model; where names decide, series get split and
 * merged by numbers in their titles: Kavita issues #4033, #2861, #1253, #710).
 * Sources: Kavita's documentation of file naming and the names that its tests list; Komga issue #1578; the names in the
 * tests of Mihon (chapter recognition), ComicTagger, comicfn2dict, Comic Vine Scraper, Kapowarr, Mylar and
 * komga-cover-extractor.
 */

import { isYear } from './name-year.ts'
import { seriesPrefix } from './season-name.ts'
import { NUMBER_WORDS, WITHOUT_SPACE, withPlainDigits, wordNumber } from './written-number.ts'

export interface MangaName {
  volumeNumber: number | null
  chapterNumber: number | null
  /** Volumes by number, their chapters between them, loose chapters by their own number. Null where there is none. */
  sortNumber: number | null
}

const NUMBER = '(\\d{1,4}(?:\\.\\d{1,3})?)(?!\\d)'
/** What follows a chapter: `153b`, `153.b` (but `Ch.4.A Tale`), `153x1`, `153-extra`. */
const SUFFIX = '((?:[a-d]|(?-i:\\.[a-d]))(?![\\p{L}\\p{N}])|x\\d(?!\\d)|[.-]?(?:extra|omake|special))?'
const BEFORE = '(?<![\\p{L}\\p{N}])'
/** `v04c32`, as scanlation groups prescribe it. */
const BEFORE_OR_VOLUME = `(?:${BEFORE}|(?<=${BEFORE}v(?:ol)?\\.?\\d{1,4}))`

const VOLUME: readonly RegExp[] = [
  new RegExp(
    `${BEFORE}(?:volumes?|volumen|vols?\\.?|v\\.?|tomes?|tomo|tom|том[аы]?|band|bd\\.?|cilt|tập|เล่ม(?:ที่)?)[\\s.\\-]*${NUMBER}`,
    'iu',
  ),
  new RegExp(`第\\s*${NUMBER}\\s*[巻卷册冊]`, 'u'),
  new RegExp(`(?<!\\d\\s*)[卷巻册冊]\\s*${NUMBER}`, 'u'),
  // `全31巻` says how many there are.
  new RegExp(`(?<!全\\d{0,3})${NUMBER}(?:[-~]\\d+)?\\s*(?:[巻卷册冊권]|том(?:а|ов)?(?![\\p{L}]))`, 'iu'),
  new RegExp(`${NUMBER}\\s*(?:부|시즌)(?!\\p{L})`, 'u'),
  new RegExp(`(?:시즌|シーズン)\\s*${NUMBER}`, 'u'),
  // Seasons of web comics: `Season 2 Chapter 15`, `[S2] Ep. 15`, `Tower Of God S01 014`; and the French `T3`, `t03`.
  new RegExp(`${BEFORE}(?:season|saison)[\\s.\\-]*${NUMBER}`, 'iu'),
  new RegExp(`${BEFORE}S(\\d{1,2})[\\])]?[\\s.\\-]*(?=(?:episodes?|ep?|chapters?|ch)[\\s.\\-]*\\d)`, 'iu'),
  new RegExp(`${BEFORE}S(\\d{2,3})(?![\\p{L}\\p{N}])`, 'u'),
  /^S(\d)(?=$|\s+[-–]\s+\p{L})/u,
  new RegExp(`${BEFORE}T(\\d{1,4})(?![\\p{L}\\p{N}])`, 'iu'),
  // Collected editions; last, since books count parts of a story too: `Book 2 Vol. 3`.
  new RegExp(`${BEFORE}books?[\\s.\\-]*${NUMBER}`, 'iu'),
]

/** `Volume III`, `Book One`; no `Book I Read`. */
const VOLUME_IN_WORDS = new RegExp(
  `${BEFORE}(?:volumes?|vols?\\.?|tomes?|books?(?!\\s+i\\s))[\\s.\\-]+(${NUMBER_WORDS})(?![\\p{L}\\p{N}])`,
  'iu',
)

const CHAPTER: readonly RegExp[] = [
  new RegExp(
    `${BEFORE_OR_VOLUME}(?:chapters?|chapitres?|cap[ií]tulos?|capitol[oi]|cap\\.?|kapitel|kapitola|rozdział|chương|bölüm|chaps?\\.?|chp\\.?|chs?\\.?|c|episodes?|ep\\.?|issues?|progs?|глав[аы]|ตอนที่|บทที่)[\\s.\\-]*#?${NUMBER}${SUFFIX}`,
    'iu',
  ),
  new RegExp(`(?<=${BEFORE}S\\d{1,2}[\\])]?[\\s.\\-]*)E\\s?${NUMBER}`, 'iu'),
  new RegExp(`第\\s*${NUMBER}\\s*[話话回章]`, 'u'),
  new RegExp(`${NUMBER}(?:[-~]\\d+)?\\s*(?:[話话화회장](?![\\p{L}])|глав[аы])`, 'iu'),
  new RegExp(`#\\s*${NUMBER}`, 'u'),
]

/** Right behind the series' name a sign counts before any word: `#31 - Infected Chapter 1`, `T22 Vol 714 to Sydney`. */
const CHAPTER_SIGN = new RegExp(`^#\\s*${NUMBER}${SUFFIX}(?=\\s+[-–])`, 'iu')
const VOLUME_SIGN = /^T(\d{1,4})(?=\s)/u

export const BRACKETED = /[[({【（][^\])}】）]*[\])}】）]/g

/**
 * What is no number of a volume: `[v2]` is the second edition of the scan, `c2c` one from cover to cover, `(c1fi7)` and
 * `(v3dio)` are people, `(C92)` is a fair, 4-koma a kind of manga; `52 pages`, `52p` and `2 of 3 covers` say how much there is;
 * `Season 1 End` and `Season 2 Announcement` tell of a season.
 */
const SCAN_MARK =
  /\[v\d\]|\((?-i:C)(?:[5-9]\d|1[0-2]\d)\)|[[({][vct]\d+(?!ch)\p{L}{2}[\p{L}\p{N}]*[)\]}]|(?<![\p{L}\p{N}])(?:c2c|4-?koma|\d{1,4}(?:p|\s?pgs?|\s?pages?)|\d{1,3}\s?of\s?\d{1,3}\s?covers|s(?:eason\s?)?\d{1,2}\s(?:end(?:ing)?(?!\sof\s)|finale|announcement|notice))(?![\p{L}\p{N}])/giu

/** `041 (2024) (Digital) (v2) (Group)`, where nothing else says what the number is. */
const EDITION = /\(v\d\)(?<=(?<![\p{L}\p{N}.])\d{1,4}(?:\s*[[({][^\])}]*[\])}])+)/giu

/** `The.Gauntlet.002.(2015)`, in names without a space; the point of `12.5` stays, that of `2099.003` and `2019.2.covers` does not. */
const DOTS = /(?<!\d)\.|\.(?!\d)|(?<=(?<!\d)(?:19|20)\d{2})\.|\.(?=\d{3})/gu
const withSpaces = (name: string): string => (/\s/u.test(name) ? name : name.replace(DOTS, ' '))

/** `#½`, `#001½` */
const HALF = /#\s?(\d*)½/gu

/** Kavita's mark of a special, which is no part of the count. */
const SPECIAL = /(?<![\p{L}\p{N}])SP\d{1,3}(?![\p{L}\p{N}])/u

/**
 * What has a count of its own, though it lies among a series' volumes (words that Kavita takes for specials, and what they are in other
 * languages). `Extra Chapter 12.5` stands between chapters.
 */
const ASIDES: readonly RegExp[] = [
  ['annuals?'],
  ['side[\\s-]stor(?:y|ies)', '外[伝传傳]|외전'],
  ['extras?|omake|bonus', '番外[編编篇]?|おまけ|번외편?'],
  ['specials?|spezial|hors[\\s-]s[ée]rie|(?-i:HS)', '特[別别][編编篇]|특별편'],
  ['(?-i:TPB)'],
].map(
  ([words, signs]) =>
    new RegExp(
      `^\\D*?(?:${BEFORE}(?:${words})(?!\\p{L})${signs ? `|${signs}` : ''})[\\s.\\-–:]*(?:(?:chapters?|ch|episodes?|ep|vol(?:ume)?s?|v|no|nr|n[°º]|#|第|제)[\\s.]*)?\\d{1,4}(?!\\.?\\d)`,
      'iu',
    ),
)

/** Comics: `v1 024`, `v6 - 10 -`, `v2 04 (2011)`. What else stands behind a volume may be anything. */
const ISSUE_OF_VOLUME =
  /(?<![\p{L}\p{N}])(?:v(?:ol(?:ume)?)?|t)\.?\s*\d{1,4}(?:\.\d)?[\s,]+(?:-\s+)?(?!(?:19|20)\d{2}(?!\d))(\d{1,4}(?:\.\d)?)(?=\s*$|\s+-+\s|\s{2,}|\s+(?:19|20)\d{2}(?!\d))/iu

/** `028 Vol. 2`, `28 V2007`, where the series' name stood before it. */
const ISSUE_BEFORE_VOLUME = new RegExp(
  `^(?!(?:19|20)\\d{2}(?!\\d))(\\d{3,4}(?:\\.\\d{1,3})?|\\d{1,2}(?=\\s+v(?:19|20)\\d{2}(?!\\d)))${SUFFIX}\\s+(?=v(?:ol(?:ume)?)?\\.?\\s*\\d)`,
  'iu',
)

/** `01 of 75` outside of brackets, where the last number would count otherwise. */
const COUNTED = /(?<![\p{L}\p{N}])(\d{1,3})\s?of\s?\d{1,3}(?![\p{L}\p{N}])/iu

/** `(2 of 6)`, and a number that is all of a bracket, where nothing else tells one. */
const IN_BRACKETS: readonly RegExp[] = [COUNTED, /[(（](\d{1,3})[)）]/u]

/** Act.12, No.12 and n°12, where nothing else tells a number: it is a part of many a title. */
const DOTTED = /(?:\p{L}\.|n[°º])(\d{1,4}(?:\.\d)?)(?=$|[\s,])/iu

/** A number that stands alone outside of brackets, and not the second of a span (`001-003`). */
const STANDALONE = new RegExp(
  `(?<=^|[\\s,제${WITHOUT_SPACE}])(?<!全)(\\d{1,4}(?:\\.\\d{1,3})?)${SUFFIX}(?:[vV]\\d{1,3})?(?:\\s?[-~]\\s?\\d{1,4}(?:\\.\\d+)?)?(?=$|[\\s–,]|-(?!\\p{L})|[:：](?!\\d)|\\.[\\s\\p{L}])`,
  'gu',
)

/** `01-The Beginning`; elsewhere in a name that is a word: `100-Page Special`. */
const GLUED = /^\s*(\d{1,4})([a-d])?-(?=\p{L})/u

const find = (expressions: readonly RegExp[], text: string): RegExpExecArray | null => {
  for (const expression of expressions) {
    const match = expression.exec(text)
    if (match) return match
  }
  return null
}

/** Hundredths, as in Mihon; `153b` follows `153a`, and `153x1` follows 153 (Kavita #4898). */
const EXTRAS: Readonly<Record<string, number>> = { special: 97, omake: 98, extra: 99 }

const fractionOf = (suffix: string): number => {
  const word = suffix.replace(/^[.-]/, '').toLowerCase()
  if (word.startsWith('x')) return Number(word.slice(1)) * 10
  return EXTRAS[word] ?? (word.charCodeAt(0) - 96) * 10
}

const numberIn = (match: RegExpExecArray | null): number | null => {
  const [, digits, suffix] = match ?? []
  if (!digits) return null
  return suffix ? (Number(digits) * 100 + fractionOf(suffix)) / 100 : Number(digits)
}

/** Whether a word or sign says that a number is one of a volume or a chapter. */
export const isMarked = (text: string): boolean => find([...VOLUME, ...CHAPTER], text) !== null

/** Outside of brackets first, since these mostly hold years, groups and editions; then inside: `c003 (v01)`. */
const findMarked = (expressions: readonly RegExp[], outside: string, whole: string): number | null =>
  numberIn(find(expressions, outside) ?? find(expressions, whole))

const findVolume = (outside: string, whole: string, isTitleGone: boolean): number | null =>
  numberIn(isTitleGone ? VOLUME_SIGN.exec(outside) : null) ?? findMarked(VOLUME, outside, whole)

const findVolumeInWords = (outside: string): number | null => {
  const [, written] = VOLUME_IN_WORDS.exec(outside) ?? []
  return written ? wordNumber(written) : null
}

const findChapter = (outside: string, whole: string, isTitleGone: boolean): number | null =>
  numberIn(isTitleGone ? CHAPTER_SIGN.exec(outside) : null) ?? findMarked(CHAPTER, outside, whole)

/** `183 - A Race of 80 Days` (Kavita #4033), `05. The Golden Sickle`. */
const LEADING = /^\s*(\d{1,4}(?:\.\d{1,3})?)([a-d])?(?:\s+[-–]|\.)\s/u

const findBare = (text: string, isTitleGone: boolean): number | null => {
  const leading = isTitleGone ? null : LEADING.exec(text)
  if (leading) return numberIn(leading)
  const matches = [...text.matchAll(STANDALONE)].filter(([, digits = '']) => !isYear(digits))
  // Behind the series' name the first number counts; in an unknown name the last, as `Kaiju No. 8 036`.
  return numberIn((isTitleGone ? matches[0] : matches.at(-1)) ?? GLUED.exec(text))
}

export const NO_NUMBERS: MangaName = { volumeNumber: null, chapterNumber: null, sortNumber: null }

/** Chapters of one volume stand between it and the next: no volume has so many. */
const CHAPTERS_PER_VOLUME = 100_000

export const orderOf = (volumeNumber: number | null, chapterNumber: number | null): number | null =>
  volumeNumber === null ? chapterNumber : volumeNumber + (chapterNumber ?? 0) / CHAPTERS_PER_VOLUME

/** Beyond any volume and chapter, on whichever shelf (manga-order.ts): what each kind of aside begins with. */
const NUMBERS_PER_ASIDE = 100_000_000

export const isAside = (sortNumber: number): boolean => sortNumber >= NUMBERS_PER_ASIDE

/** Behind any chapter: of asides that are called by a year, and of what has no number in the folder of a volume. */
const LAST = 9999

/** `上巻`, `（下）`, `後編`: of two or three, the first, the middle, the last; all of a name, or behind its volume: `第10卷 上`. */
const HALF_OF_TITLE = /(?:^[\s\-–:]*|[巻卷册冊]\s*)(?:[(（]?([上中下])[巻卷册冊]?[)）]?|([前中後后])[編编篇])$/u
const PLACES: Readonly<Record<string, number>> = { 上: 1, 前: 1, 中: 2, 下: 3, 後: 3, 后: 3 }

const PROLOGUE = /^[\s\-–:]*(?:prolog(?:ue|o)?|プロローグ|프롤로그|пролог|序[章幕]?)(?!\p{L})/iu

/** Where a name stands that has no number, behind the title of its series: a prologue before any, halves as 1 to 3. */
const placeOf = (name: string): number | null => {
  const text = name.replace(BRACKETED, (bracketed) => (bracketed.length === 3 ? bracketed : ' ')).trim()
  if (PROLOGUE.test(text)) return 0
  const [, ...halves] = HALF_OF_TITLE.exec(text) ?? []
  return PLACES[halves.join('')] ?? null
}

/** `Volume 33, 34/370.cbz`: several volumes lie in one folder. */
const SPAN = /\d\s*[-–~,&+]\s*(?:v(?:ol)?\.?\s*)?\d/iu

/** What a name means in a folder of one volume: `Volume 33/370.cbz` is chapter 370 of volume 33. */
export const withinFolder = (name: MangaName, folder: MangaName, folderName: string): MangaName => {
  const { volumeNumber } = folder
  if (name.volumeNumber !== null || volumeNumber === null || SPAN.test(folderName)) return name
  const place = name.sortNumber ?? folder.chapterNumber ?? LAST
  return { ...name, volumeNumber, sortNumber: orderOf(volumeNumber, Math.min(place, LAST)) }
}

const findLoose = (outside: string, whole: string, isTitleGone: boolean): number | null => {
  const counted = numberIn(COUNTED.exec(outside))
  const bare = findBare(outside, isTitleGone)
  return (isTitleGone ? (bare ?? counted) : (counted ?? bare)) ?? numberIn(find(IN_BRACKETS, whole) ?? DOTTED.exec(outside))
}

/** Weeklies come to their issue 1999 in another year: `2000AD 1999 (2016)`. Of what was taken for a title and its year. */
const issueLikeYear = (title: string, behind: string): string => {
  const [, issue] = /\s((?:19|20)\d{2})$/.exec(title) ?? []
  const [, year] = /^(?:\s*[([]((?:19|20)\d{2})[^)\]]*[)\]])(?:\s*[([][^)\]]*[)\]])*\s*$/.exec(behind) ?? []
  return issue && year && issue !== year ? ` #${issue}` : ' '
}

/**
 * A reader for the volumes of one series; `stem` is the archive's name without its extension, or the folder's name.
 * A number without a word is a chapter, as in Kavita.
 */
export const createMangaReader = (seriesName: string): ((stem: string) => MangaName) => {
  const prefix = seriesPrefix(withPlainDigits(seriesName.normalize('NFC')))
  return (stem) => {
    const name = withSpaces(withPlainDigits(stem.normalize('NFC')).replaceAll('_', ' ').trim())
      .replace(SCAN_MARK, ' ')
      .replace(HALF, (_, whole: string) => `#${Number(whole)}.5`)
      .replace(EDITION, (mark, _, spelt: string) => (isMarked(spelt.replace(BRACKETED, ' ')) ? mark : ' '))
    if (SPECIAL.test(name)) return NO_NUMBERS
    const rest = prefix ? name.replace(prefix, (title) => issueLikeYear(title, name.slice(title.length))) : name
    const isTitleGone = rest !== name && /\d/.test(rest)
    const whole = isTitleGone ? rest.replace(/^[\s\-–,:]+/, '') : name
    const outside = whole.replace(BRACKETED, ' ')
    const marked = findVolume(outside, whole, isTitleGone)
    const volumeNumber = marked ?? findVolumeInWords(outside)
    const chapterNumber =
      findChapter(outside, whole, isTitleGone) ??
      (marked === null ? findLoose(outside, whole, isTitleGone) : chapterBesideVolume(outside, whole, isTitleGone))
    const sortNumber = orderOf(volumeNumber, chapterNumber ?? placeOf(rest))
    const aside = (ASIDES.findIndex((expression) => expression.test(outside)) + 1) * NUMBERS_PER_ASIDE
    return { volumeNumber, chapterNumber, sortNumber: aside === 0 ? sortNumber : aside + (sortNumber ?? LAST) }
  }
}

/** `S01 014`, `(Season 2) - 33`: a season of a web comic is followed by the chapter. */
const CHAPTER_OF_SEASON =
  /(?<![\p{L}\p{N}])(?:S\d{2,3}|(?:season|saison|시즌|シーズン)[\s.-]*\d{1,3})[\])]?\s+(?:-\s+)?(\d{1,4}(?:\.\d)?)(?![\p{L}\p{N}])/iu

const chapterBesideVolume = (outside: string, whole: string, isTitleGone: boolean): number | null =>
  numberIn(CHAPTER_OF_SEASON.exec(whole) ?? ISSUE_OF_VOLUME.exec(outside) ?? (isTitleGone ? ISSUE_BEFORE_VOLUME.exec(outside) : null))
