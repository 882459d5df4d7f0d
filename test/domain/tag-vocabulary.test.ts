import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { nameKey } from '../../src/domain/name-key.ts'
import { tagNameProblem } from '../../src/domain/tag-name.ts'
import { createVocabulary } from '../../src/domain/tag-vocabulary.ts'

const vocabularyOf = (tags: [category: string, name: string][], mappings: [source: string, tagId: number][] = []) => {
  const vocabulary = createVocabulary()
  for (const [index, [category, name]] of tags.entries())
    vocabulary.add({ id: index + 1, categoryKey: nameKey(category), nameKey: nameKey(name) })
  for (const [source, tagId] of mappings) vocabulary.map(nameKey(source), tagId)
  return vocabulary
}

describe('which tag a text means', () => {
  const vocabulary = vocabularyOf(
    [
      ['Genre', 'Horror'],
      ['Genre', 'Both'],
      ['Mood', 'Both'],
      ['AC', 'DC'],
      ['Bands', 'AC/DC'],
      ['A/B', 'C'],
      ['A', 'B/C'],
      ['Gaps', 'Two  gaps'],
      ['Mood', 'Really called so'],
    ],
    [
      ['Scary', 1],
      ['Both', 3],
      ['Really called so', 1],
      ['Old place/Horror', 1],
      ['Two words', 1],
    ],
  )
  const cases: [text: string, meaning: number | 'unknown' | 'ambiguous'][] = [
    ['', 'unknown'],
    ['/', 'unknown'],
    ['Nothing', 'unknown'],
    ['Genre', 'unknown'],
    ['Mood/Horror', 'unknown'],
    ['Mood/Scary', 'unknown'],
    ['A/B/C', 'ambiguous'],
    ['Horror', 1],
    ['  hORROR ', 1],
    ['Genre/Horror', 1],
    ['genre / horror', 1],
    ['Scary', 1],
    ['Genre/Scary', 1],
    ['old place/horror', 1],
    ['two   words', 1],
    ['AC/DC', 4],
    ['Bands/AC/DC', 5],
    ['Mood/Both', 3],
    ['two gaps', 8],
    ['Gaps/Two gaps', 8],
    ['Really called so', 9],
    // Two tags are called so, and the mapping says which one is meant.
    ['Both', 3],
  ]
  for (const [text, meaning] of cases)
    test(JSON.stringify(text), () => {
      expect(vocabulary.resolve(text)).toEqual(typeof meaning === 'number' ? { tagId: meaning } : meaning)
    })

  test('a name that two categories have is none of them', () => {
    expect(
      vocabularyOf([
        ['One', 'Same'],
        ['Two', 'same'],
      ]).resolve('SAME'),
    ).toBe('ambiguous')
  })

  test('a tag of exactly that spelling comes before one with other gaps', () => {
    const both = vocabularyOf([
      ['X', 'A  b'],
      ['X', 'A b'],
    ])
    expect([both.resolve('x/a b'), both.resolve('a  b')]).toEqual([{ tagId: 2 }, { tagId: 1 }])
    expect(both.resolve('a   b')).toBe('ambiguous')
  })

  test('a text of nothing but separators, or longer than any name, is soon known to mean nothing', () => {
    const slashes = vocabularyOf(Array.from({ length: 100 }, (_, index) => ['/'.repeat(index + 1), 'x']))
    const begun = performance.now()
    for (const part of ['/', '/é', '/ ', `/${' '.repeat(50)}`])
      for (const length of [400, 2000, 100_000]) expect(slashes.resolve(part.repeat(length))).toBe('unknown')
    expect(performance.now() - begun).toBeLessThan(1000)
    expect(slashes.resolve(`${'/'.repeat(100)}/x`)).toEqual({ tagId: 100 })
  })

  test('a name may be spelled in more signs than it has, and stand between wide gaps', () => {
    const long = vocabularyOf([['ᾂ'.repeat(100), 'ß'.repeat(100)]])
    const text = `${'ᾂ'.repeat(100).normalize('NFD')}${' '.repeat(200)}/${' '.repeat(200)}${'SS'.repeat(100)}`
    expect(long.resolve(text)).toEqual({ tagId: 1 })
  })

  test('every category and name together mean the tag that has them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (category, name) => {
        const [cleanCategory, cleanName] = [category.trim(), name.trim()]
        if (tagNameProblem(cleanCategory) ?? tagNameProblem(cleanName)) return
        expect(vocabularyOf([[cleanCategory, cleanName]]).resolve(`${cleanCategory}/${cleanName}`)).toEqual({ tagId: 1 })
      }),
    )
  })
})

describe('what makes two names one', () => {
  test('is their case-folded, composed form, whatever they were before', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const key = nameKey(name)
        expect(nameKey(key)).toBe(key)
        expect(nameKey(name.normalize('NFD'))).toBe(key)
        expect(nameKey(name.toLowerCase())).toBe(key)
        if (!name.includes('ı')) expect(nameKey(name.toUpperCase())).toBe(key)
      }),
      { numRuns: 1000 },
    )
  })
})
