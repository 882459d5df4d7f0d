import { expect, test } from 'bun:test'
import { parseGameName } from '../../src/domain/game-name.ts'

/** Folders of games, and which game each is. */

test.each([
  [
    'Stardew Valley',
    'Stardew Valley v1.5',
    'Stardew.Valley.v1.5.6',
    'Stardew Valley (v1.4)',
    'Stardew Valley [GOG] (v1.5, Windows)',
    'STARDEW VALLEY',
  ],
  [
    'Hades',
    'Hades (2020)',
    'Hades [GOG]',
    'Hades (Steam) v1.38',
    'Hades Build 1234',
    'Hades (1.38)',
    'Hades (2020, GOG)',
    'Hades-linux',
    'Hades (W_P)',
  ],
  ['Quake II', 'Quake II [GOG]', 'Quake II (64-bit)', 'Quake II GOG', 'Quake_II_v1.0'],
  ['Factorio 0.17.79', 'Factorio 1.1.110', 'Factorio Linux x64', 'Factorio (70123)'],
  ['ゼルダ v1.0', 'ゼルダ [Steam]'],
  ['V', 'V (2001)'],
  ['v2', 'v2 [GOG]'],
  ['Celeste', 'Celeste (v2)', 'Celeste Version 2'],
])('%s is the same game by another name: %s', (...names) => {
  expect(new Set(names.map((name) => parseGameName(String(name)).words)).size).toBe(1)
  expect(parseGameName(String(names[0])).words).not.toBe('')
})

test.each([
  ['Doom', 'Doom II', 'Doom 3', 'Doom (Demo)', 'Doom [Soundtrack]', 'Doom DLC', 'Doom Eternal', 'Doom (2)', 'Doom 64'],
  ['Touhou 12.3', 'Touhou 12.5', 'Touhou 12'],
  ['Kingdom Hearts HD 1.5 ReMIX', 'Kingdom Hearts HD 2.5 ReMIX'],
  ['Football Manager 2023', 'Football Manager 2024'],
  ['Gothic', 'Gothic (Definitive Edition)', 'Gothic Patch 1.08', 'Gothic Remake'],
  ['Grand Theft Auto IV', 'Grand Theft Auto V', 'Grand Theft Auto'],
  ['Civilization V', 'Civilization VI'],
  ['Danganronpa', 'Danganronpa V3', 'Danganronpa 2'],
])('%s and %s are different games', (...names) => {
  expect(new Set(names.map((name) => parseGameName(String(name)).words)).size).toBe(names.length)
})

test('a year in brackets tells games of one name apart, and any other is a part of the name', () => {
  expect(['Doom (1993)', 'Doom [2016] [GOG]', 'Doom', 'Doom 2016'].map(parseGameName)).toEqual([
    { words: 'doom', year: 1993 },
    { words: 'doom', year: 2016 },
    { words: 'doom', year: null },
    { words: 'doom 2016', year: null },
  ])
})

test('a name that says nothing but a shop is none, and the longest names take no time', () => {
  expect(parseGameName('[GOG]').words).toBe('')
  const begun = performance.now()
  for (const text of ['v1.', '(', 'build ', '1.1.', ' - ', ' v1', '(v1)', '1.1.1_']) parseGameName(`a${text.repeat(255)}`.slice(0, 255))
  expect(performance.now() - begun).toBeLessThan(500)
})
