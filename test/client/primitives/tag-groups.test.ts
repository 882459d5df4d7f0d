import { describe, expect, test } from 'bun:test'
import { categoriesWithout, groupByCategory } from '../../../client/src/primitives/tag-groups.ts'

const category = (id: number, name: string) => ({ id, name, color: null, tagCount: 1 })
const GENRE = category(1, 'Genre')
const MOOD = category(2, 'Mood')
const tag = (id: number, name: string, { id: categoryId, name: categoryName } = GENRE) => ({
  id,
  name,
  categoryId,
  categoryName,
  color: null,
})

describe('where a new tag could go', () => {
  test.each(['drama', 'DRAMA', 'Drama'])('%s not where that name is taken, whatever its case', (name) => {
    expect(categoriesWithout(name, [tag(1, 'Drama')], [GENRE, MOOD])).toEqual([MOOD])
  })

  test('not where it differs only in how an accent or ß is written', () => {
    expect(categoriesWithout('STRASSE', [tag(1, 'Straße')], [GENRE])).toEqual([])
    expect(categoriesWithout('cafe\u0301', [tag(1, 'Caf\u00e9')], [GENRE])).toEqual([])
  })

  test('nowhere where the name stands for another tag', () => {
    const merged = { ...tag(1, 'Vacation'), alias: 'Holiday' }
    expect(categoriesWithout('holiday', [merged], [GENRE, MOOD])).toEqual([])
    expect(categoriesWithout('Holidays', [merged], [GENRE, MOOD])).toEqual([GENRE, MOOD])
  })

  test('anywhere else, also where a name only begins alike', () => {
    expect(categoriesWithout('Dram', [tag(1, 'Drama')], [GENRE, MOOD])).toEqual([GENRE, MOOD])
    expect(categoriesWithout('cafe', [tag(1, 'Caf\u00e9')], [GENRE])).toEqual([GENRE])
  })
})

describe('tags by category', () => {
  test('keep their order, and categories come in the order of their first tag', () => {
    const groups = groupByCategory([tag(5, 'Quiet', MOOD), tag(2, 'Drama'), tag(6, 'Dark', MOOD)], [GENRE, MOOD])
    expect(groups.map((group) => [group.category, group.tags.map(({ name }) => name)])).toEqual([
      [MOOD, ['Quiet', 'Dark']],
      [GENRE, ['Drama']],
    ])
  })

  test('stand under the name that they bring along while their category is not known', () => {
    const [group] = groupByCategory([tag(5, 'Quiet', MOOD)], [])
    expect(group?.category).toEqual({ id: 2, name: 'Mood', color: null, tagCount: 1 })
  })
})
