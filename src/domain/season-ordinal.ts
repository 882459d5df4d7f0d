/** Seasons whose number is a word, in other languages than English: `Erste Staffel`, `Première Saison`, `Staffel Eins`. */

/** What each language calls a season, and its ordinals before that word. */
const LANGUAGES = [
  ['staffel', 'erste zweite dritte vierte fünfte sechste sieb(?:en)?te achte neunte zehnte elfte zwölfte'],
  ['temporada', 'primei?ra segunda ter(?:cer|ceir)a [cq]uarta quinta sexta s[eé]p?tima (?:octa|oita)va no(?:ve)?na d[eé]cima'],
  [
    'saison',
    'premi[eè]re (?:deuxi[eè]m|second)e troisi[eè]me quatri[eè]me cinqui[eè]me sixi[eè]me septi[eè]me huiti[eè]me neuvi[eè]me dixi[eè]me',
  ],
  ['stagione', 'prima seconda terza quarta quinta sesta settima ottava nona decima'],
  ['сезон', 'первый второй третий четв[её]ртый пятый шестой седьмой восьмой девятый десятый'],
] as const

/** Not the last of several: `Erste und zweite Staffel`. */
const ORDINALS = LANGUAGES.map(([season, words]) => {
  const numbers = words.split(' ').map((word) => new RegExp(`^${word}$`, 'iu'))
  const expression = new RegExp(
    `(?<![\\p{L}\\p{N}])(?<!(?:(?<!\\p{L})(?:und|y|et|e|и)|[&+])[\\s._-]+)(${words.replaceAll(' ', '|')})[\\s._-]+${season}(?![\\p{L}\\p{N}])`,
    'iu',
  )
  return { numbers, expression }
})

const CARDINALS = ['eins', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun', 'zehn']
const CARDINAL = new RegExp(`^staffel[\\s._-]+(${CARDINALS.join('|')})(?![\\p{L}\\p{N}])`, 'iu')

/** Null where no such words say it. */
export const findWrittenSeason = (name: string): number | null => {
  const [, cardinal] = CARDINAL.exec(name) ?? []
  if (cardinal) return CARDINALS.indexOf(cardinal.toLowerCase()) + 1
  for (const { numbers, expression } of ORDINALS) {
    const [, ordinal] = expression.exec(name) ?? []
    if (ordinal) return numbers.findIndex((number) => number.test(ordinal)) + 1
  }
  return null
}
