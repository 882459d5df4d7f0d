import { describe, expect, test } from 'bun:test'
import {
  isSubtitleFolder,
  parseBareSidecarName,
  parseLooseSidecarName,
  parseSharedSidecarName,
  parseSidecarName,
  type SidecarName,
  subtitleLabel,
  videosAmong,
} from '../../src/domain/subtitle-name.ts'
import { processorMs } from '../support/processor-time.ts'

const NAMES = videosAmong(['Film.mkv', 'Film.Part 2.mkv', 'Other film.mkv'])
const NONE = videosAmong([])

describe('no subtitle file of the film', () => {
  const others = [
    'Film.mkv',
    'Film.txt',
    'Film.idx',
    'Films.srt',
    'Fil.srt',
    'Film-2.srt',
    'Film_.srt',
    'Film en route.srt',
    'Film - 2 English.srt',
    'Filmen.srt',
    'Film.Part 2.srt',
    'Film.Part 2.en.srt',
    'srt',
  ]
  test.each(others)('%s', (name) => {
    expect(parseSidecarName(name, 'Film.mkv', NAMES)).toBeUndefined()
  })
})

test('what is no subtitle file is told without asking its siblings, of which a folder may have thousands', () => {
  const siblings = (): string => {
    throw new Error('A sibling was asked for.')
  }
  for (const name of ['Film.txt', 'Other film.srt']) {
    expect(parseSidecarName(name, 'Film.mkv', siblings)).toBeUndefined()
    expect(parseSharedSidecarName(name, [], siblings)).toBeUndefined()
  }
})

test('a folder of thousands of videos and subtitles is looked through once', () => {
  const files = Array.from({ length: 3000 }, (_, number) => [`Film.${number}.srt`, `z${number}.mkv`]).flat()
  const findVideo = videosAmong(['Film.mkv', ...files])
  const startedAt = processorMs()
  expect(files.filter((name) => parseSidecarName(name, 'Film.mkv', findVideo) !== undefined)).toHaveLength(3000)
  expect(files.filter((name) => parseSharedSidecarName(name, ['Film'], findVideo) !== undefined)).toHaveLength(0)
  expect(files.filter((name) => parseLooseSidecarName(name, 'Subs', findVideo) !== undefined)).toHaveLength(0)
  expect(processorMs() - startedAt).toBeLessThan(500)
})

test('a name of nothing but words is not looked up for ever', () => {
  const startedAt = processorMs()
  for (const word of ['xq.', 'en.', 'en-', 'zz-zzzz-zz.'])
    for (let number = 0; number < 50; number += 1) {
      const name = `Film.${word.repeat(240 / word.length)}${number}.srt`
      parseSidecarName(name, 'Film.mkv', NONE)?.traits()
      parseSidecarName(name.replace('.', '-'), 'Film.mkv', NONE)?.traits()
      parseLooseSidecarName(name, 'Subs')?.traits()
    }
  expect(processorMs() - startedAt).toBeLessThan(1000)
})

/** File name; language, title, flags (d default, f forced, h hearing impaired); label. */
const GRAMMAR: [name: string, traits: [language: string | null, title: string | null, flags: string], label: string][] = [
  ['Film.srt', [null, null, ''], 'Unknown language'],
  ['Film.en.srt', ['en', null, ''], 'English'],
  ['film.EN.SRT', ['en', null, ''], 'English'],
  ['Film.eng.ass', ['en', null, ''], 'English'],
  ['Film.ger.srt', ['de', null, ''], 'German'],
  ['Film.deu.srt', ['de', null, ''], 'German'],
  ['Film.German.srt', ['de', null, ''], 'German'],
  ['Film.ko.smi', ['ko', null, ''], 'Korean'],
  ['Film.pl.sub', ['pl', null, ''], 'Polish'],
  ['Film.default.en.srt', ['en', null, 'd'], 'English'],
  ['Film.pt-BR.vtt', ['pt-BR', null, ''], 'Brazilian Portuguese'],
  ['Film.pob.srt', ['pt-BR', null, ''], 'Brazilian Portuguese'],
  ['Film.zh-Hans.srt', ['zh-Hans', null, ''], 'Simplified Chinese'],
  ['Film.cht.srt', ['zh-Hant', null, ''], 'Traditional Chinese'],
  ['Film.en.forced.srt', ['en', null, 'f'], 'English (forced)'],
  ['Film.foreign.en.srt', ['en', null, 'f'], 'English (forced)'],
  ['Film.sdh.en.srt', ['en', null, 'h'], 'English (SDH)'],
  ['Film.en.cc.default.srt', ['en', null, 'dh'], 'English (SDH)'],
  ['Film.hi.srt', ['hi', null, ''], 'Hindi'],
  ['Film.en.hi.srt', ['en', null, 'h'], 'English (SDH)'],
  ['Film.hi.en.srt', ['en', null, 'h'], 'English (SDH)'],
  ['Film.hi.hi.srt', ['hi', null, 'h'], 'Hindi (SDH)'],
  ['Film.English SDH.srt', ['en', null, 'h'], 'English (SDH)'],
  ['Film.English (SDH).srt', ['en', null, 'h'], 'English (SDH)'],
  ['Film.en[forced].srt', ['en', null, 'f'], 'English (forced)'],
  ['Film.chs&eng.ass', ['zh-Hans', 'eng', ''], 'Simplified Chinese – eng'],
  ['Film.tc.ass', ['zh-Hant', null, ''], 'Traditional Chinese'],
  ['Film.constructor.srt', [null, 'constructor', ''], 'constructor'],
  ['Film.en.Commentary.srt', ['en', 'Commentary', ''], 'English – Commentary'],
  ['Film.Directors cut.fr.srt', ['fr', 'Directors cut', ''], 'French – Directors cut'],
  ['Film.Signs & Songs.ass', [null, 'Signs & Songs', ''], 'Signs & Songs'],
  ['Film.2.en.srt', ['en', '2', ''], 'English – 2'],
  ['Film.en.de.srt', ['en', 'de', ''], 'English – de'],
  ['Film.pb.hi.srt', ['pt-BR', null, 'h'], 'Brazilian Portuguese (SDH)'],
  ['Film.und.srt', [null, null, ''], 'Unknown language'],
  // With the video's extension, as subliminal finds them.
  ['Film.mkv.srt', [null, null, ''], 'Unknown language'],
  ['Film.MKV.fra.srt', ['fr', null, ''], 'French'],
  ['Film.mp4.fra.srt', ['fr', 'mp4', ''], 'French – mp4'],
  ['Film.und.forced.srt', [null, null, 'f'], 'Unknown language (forced)'],
  // Divided by other signs, as Kodi finds them.
  ['Film-en.srt', ['en', null, ''], 'English'],
  ['Film_fr.srt', ['fr', null, ''], 'French'],
  ['Film - pt-BR.srt', ['pt-BR', null, ''], 'Brazilian Portuguese'],
  ['Film (English).srt', ['en', null, ''], 'English'],
  ['Film[de].forced.srt', ['de', null, 'f'], 'German (forced)'],
  ['Film_hi.srt', ['hi', null, ''], 'Hindi'],
  ['Film.[en].srt', ['en', null, ''], 'English'],
]

const told = (sidecar: SidecarName | undefined) => {
  if (!sidecar) throw new Error('It is taken for no subtitle file.')
  const track = sidecar.traits()
  const own = [track.isDefault && 'd', track.isForced && 'f', track.isForHearingImpaired && 'h'].filter(Boolean).join('')
  return [[track.language, track.title, own], subtitleLabel(track)]
}

test.each(GRAMMAR)('%s', (name, traits, label) => {
  expect(told(parseSidecarName(name, 'Film.mkv', NAMES))).toEqual([traits, label])
})

/** As release groups name what lies in a folder of subtitles. */
const LOOSE: typeof GRAMMAR = [
  ['2_English.srt', ['en', null, ''], 'English'],
  ['3_SDH_English.srt', ['en', null, 'h'], 'English (SDH)'],
  ['10_ger.forced.srt', ['de', null, 'f'], 'German (forced)'],
  ['English.srt', ['en', null, ''], 'English'],
  ['SDH.eng.HI.srt', ['en', null, 'h'], 'English (SDH)'],
  ['English.hi.srt', ['en', null, 'h'], 'English (SDH)'],
  ['It.Came.From.2020.1080p-GRP.en.srt', ['en', null, ''], 'English'],
  ['Some.Film.2020.1080p-GRP.srt', [null, 'Some Film 2020 1080p-GRP', ''], 'Some Film 2020 1080p-GRP'],
  ['English.Commentary.srt', ['en', 'Commentary', ''], 'English – Commentary'],
  ['12_Portuguese (Brazil).srt', ['pt-BR', null, ''], 'Brazilian Portuguese'],
  ['Chinese (Simplified).srt', ['zh-Hans', null, ''], 'Simplified Chinese'],
]

test.each(LOOSE)('in a folder of subtitles: %s', (name, traits, label) => {
  const track = parseLooseSidecarName(name, 'Subs', NAMES)
  expect(told(track)).toEqual([traits, label])
  expect(track?.suffix).toBe(`/Subs/${name}`)
})

test('in a folder of subtitles lies also what is none, or belongs to another video', () => {
  for (const name of ['2_English.idx', 'English.txt', 'Other film.en.srt', 'Film.Part 2.srt'])
    expect(parseLooseSidecarName(name, 'Subs', NAMES)).toBeUndefined()
  expect(['Subs', 'subs', 'SUB', 'Subtitles', 'Subtitle', 'Substitutes', 'My subs'].map(isSubtitleFolder)).toEqual([
    ...[true, true, true, true],
    ...[false, false, false],
  ])
})

/** Beside the one video. */
const BARE: typeof GRAMMAR = [
  ['English.srt', ['en', null, ''], 'English'],
  ['de.srt', ['de', null, ''], 'German'],
  ['2_en.forced.srt', ['en', null, 'f'], 'English (forced)'],
  ['German (SDH).ass', ['de', null, 'h'], 'German (SDH)'],
]

test.each(BARE)('called by its language: %s', (name, traits, label) => {
  const track = parseBareSidecarName(name, NAMES)
  expect(told(track)).toEqual([traits, label])
  expect(track?.suffix).toBe(`/${name}`)
})

test('what has another word in its name is called by no language', () => {
  for (const name of ['English.txt', 'English.Commentary.srt', 'Some film.en.srt', 'Film.en.srt', '2.srt', 'srt', '.srt'])
    expect(parseBareSidecarName(name, NAMES)).toBeUndefined()
})

test('what tells two files of a video apart stays the same when video and files are renamed', () => {
  const before = parseSidecarName('Film.en.forced.srt', 'Film.mkv', NAMES)?.suffix
  const after = parseSidecarName('The film (1979).en.forced.srt', 'The film (1979).mp4', NONE)?.suffix
  expect(before).toBe('.en.forced.srt')
  expect(after).toBe(before)
})

test('a name with its accents apart belongs to a video with them together', () => {
  const sidecar = parseSidecarName('Ame\u0301lie.fr.srt', 'Am\u00e9lie.mkv', NONE)
  expect([sidecar?.suffix, sidecar?.traits().language]).toEqual(['.fr.srt', 'fr'])
})
