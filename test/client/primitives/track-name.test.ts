import { afterEach, expect, test } from 'bun:test'
import { german } from '../../../client/src/i18n/de/german.ts'
import { speak } from '../../../client/src/i18n/language.ts'
import { trackName } from '../../../client/src/primitives/track-name.ts'
import { audioLabel } from '../../../src/domain/playback.ts'
import { subtitleLabel } from '../../../src/domain/subtitle-name.ts'

afterEach(() => speak('en', undefined))

const NOTHING = { language: null, title: null, isDefault: false, isForced: false, isForHearingImpaired: false }
const SOUND = { index: 1, codec: 'aac', channels: 2, language: null, title: null, isDefault: false }

test('what the server says in English is said in German, and what the file says as it is', () => {
  const subtitles = [
    { ...NOTHING, language: 'de', isForced: true, isForHearingImpaired: true },
    { ...NOTHING, language: 'zh-Hant', title: 'Commentary' },
    { ...NOTHING, language: 'fr', isForHearingImpaired: true },
    { ...NOTHING, isForced: true },
    { ...NOTHING, title: 'Unknown languages' },
  ].map((track) => ({ language: track.language, label: subtitleLabel(track) }))
  const sounds = [
    { ...SOUND, language: 'ger' },
    { ...SOUND, channels: 7 },
    { ...SOUND, language: 'ger', title: 'German dub' },
    { ...SOUND, language: 'ger', title: 'Stereo' },
  ].map((track) => ({ language: track.language && 'de', label: audioLabel(track) }))
  expect([...subtitles, ...sounds].map(trackName)).toEqual([...subtitles, ...sounds].map(({ label }) => label))
  speak('de', german)
  expect([...subtitles, ...sounds].map(trackName)).toEqual([
    'Deutsch (erzwungen, SDH)',
    'Chinesisch (traditionell) – Commentary',
    'Französisch (SDH)',
    'Unbekannte Sprache (erzwungen)',
    'Unknown languages',
    'Deutsch (AAC Stereo)',
    'Unbekannte Sprache (AAC 7 Kanäle)',
    'German dub (AAC Stereo)',
    'Deutsch – Stereo (AAC Stereo)',
  ])
})
