import { expect, test } from 'bun:test'
import { tagFinder } from '../../src/ai/tag-match.ts'
import { MAX_VOCABULARY_CHARACTERS, offerVocabulary, type VocabularyTag } from '../../src/ai/vocabulary.ts'

const tags = (count: number): VocabularyTag[] =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `Subject number ${index}`,
    category: 'Subject',
    usage: count - index,
    aliases: [],
  }))

const withTag = (list: VocabularyTag[], name: string, aliases: string[] = []): VocabularyTag[] => [
  ...list,
  { id: list.length + 1, name, category: 'Rare', usage: 0, aliases },
]

test('nothing is offered where there is nothing', () => {
  expect(offerVocabulary([], () => 'words')).toEqual([])
})

test('all of a vocabulary that fits is offered, by category and name, each as the answer is to say it', () => {
  const vocabulary: VocabularyTag[] = [
    { id: 1, category: 'Mood', name: 'Dark', usage: 1, aliases: [] },
    { id: 2, category: 'Genre', name: 'Horror', usage: 9, aliases: [] },
    { id: 3, category: 'Colour', name: 'dark', usage: 3, aliases: [] },
    { id: 4, category: 'Genre', name: 'Comedy', usage: 0, aliases: [] },
  ]
  const offered = offerVocabulary(vocabulary, () => '')
  expect(offered).toEqual(['Colour/dark', 'Comedy', 'Horror', 'Mood/Dark'])
  // A batch is offered it thousands of times: it is one array, of which what a prompt holds of it is made once.
  expect(offerVocabulary(vocabulary, () => 'other words')).toBe(offered)
  // What is offered is found again.
  expect(offered.map((name) => tagFinder(vocabulary)(name)?.id)).toEqual([3, 4, 2, 1])
})

test('of one that does not fit, the most used are offered, and those that the item names', () => {
  const vocabulary = withTag(withTag(tags(3000), 'Lighthouse', ['Beacon']), 'Sunset')
  const offered = offerVocabulary(vocabulary, () => 'An old BEACON at the sea.')
  expect(offered.join('\n').length).toBeLessThanOrEqual(MAX_VOCABULARY_CHARACTERS)
  expect(offered).toContain('Lighthouse')
  expect(offered).not.toContain('Sunset')
  expect(offered).toContain('Subject number 0')
  expect(offered).not.toContain('Subject number 2999')
})

test('what the item names takes at most half of the room', () => {
  const vocabulary = tags(3000)
  const words = vocabulary.map(({ name }) => name).join(' ')
  const named = offerVocabulary(
    vocabulary.map((tag) => ({ ...tag, usage: tag.id })),
    () => words,
    1000,
  )
  expect(named).toContain('Subject number 2999')
  expect(named.join('\n').length).toBeLessThanOrEqual(1000)
})

test('a tag in a script without spaces is found inside a sentence', () => {
  const vocabulary = withTag(tags(3000), '灯台')
  expect(offerVocabulary(vocabulary, () => '海辺の古い灯台の写真')).toContain('灯台')
})

test('a word is no part of another word', () => {
  expect(offerVocabulary(withTag(tags(3000), 'Art'), () => 'A party in Stuttgart')).not.toContain('Art')
})
