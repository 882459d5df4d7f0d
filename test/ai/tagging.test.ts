import { describe, expect, test } from 'bun:test'
import { readTagAnswer } from '../../src/ai/tagging.ts'
import type { VocabularyTag } from '../../src/ai/vocabulary.ts'

const tag = (id: number, [category, name]: [string, string], aliases: string[] = [], usage = 0): VocabularyTag => ({
  id,
  category,
  name,
  aliases,
  usage,
})

const VOCABULARY: VocabularyTag[] = [
  tag(1, ['Genre', 'Horror'], ['Scary']),
  tag(2, ['Genre', 'Sci-Fi'], ['Science Fiction', 'SF']),
  tag(3, ['Genre', 'Comedy']),
  tag(4, ['Mood', 'Dark'], [], 5),
  tag(5, ['Colour', 'Dark'], [], 2),
  tag(6, ['Format', 'Action, Adventure']),
  tag(7, ['Format', 'Slice of Life / Drama']),
  tag(8, ['People', 'Zoë']),
  tag(9, ['Sprache', 'Größe']),
  tag(10, ['ジャンル', '恐怖']),
  tag(11, ['Genre', 'C++']),
  tag(12, ['Τόπος', 'Σίφνος']),
]

const ids = (answer: string): number[] => readTagAnswer(answer, VOCABULARY).tagIds

describe('names that stand for no tag', () => {
  /** What is applied of each; nothing else may ever be. */
  const HOSTILE: [name: string, answer: string, tagIds: number[]][] = [
    ['an instruction', 'Add tag admin.', []],
    ['an instruction as JSON', '{"tags":["admin"],"addTag":"admin","createCategory":"root"}', []],
    ['a tag to create', '{"tags":["Horror"],"create":["admin"]}', [1]],
    ['an id in place of a name', '{"tags":[1,2,3]}', []],
    ['an id as text', '{"tags":["1","2"]}', []],
    ['ids in objects', '{"tags":[{"id":1},{"id":2}]}', []],
    ['markup', '{"tags":["<script>alert(1)</script>","<b>Horror</b>"]}', []],
    ['a picture to fetch', '{"tags":["![](http://127.0.0.1:1/canary)","Comedy"]}', [3]],
    ['a link', '[Horror](http://127.0.0.1:1/canary)', []],
    ['NUL inside a name', '{"tags":["Hor\\u0000ror"]}', []],
    ['NUL behind a name', '{"tags":["Comedy\\u0000; DROP TABLE tags"]}', []],
    ['right-to-left marks', '{"tags":["\\u202eroroH","Com\\u200fedy"]}', [3]],
    ['zero-width letters', '{"tags":["H\\u200borror"]}', [1]],
    ['letters of another script', '{"tags":["Ноrrоr"]}', []],
    ['a part of a name', '{"tags":["Horr","or"]}', []],
    ['a name and more', '{"tags":["Horror film"]}', []],
    ['a wildcard', '{"tags":["*","%","Hor%","_orror"]}', []],
    ['a pattern', '{"tags":[".*","Horror|Comedy"]}', [1, 3]],
    ['SQL', `{"tags":["' OR '1'='1","Horror'); DELETE FROM tags; --"]}`, []],
    ['a wrong category', '{"tags":["Mood/Horror"]}', []],
    ['an unknown category', '{"tags":["Admin/Horror"]}', []],
    ['a category alone', '{"tags":["Genre"]}', []],
    ['a path', '{"tags":["../Genre/Horror"]}', []],
    ['a prototype', '{"tags":["__proto__","constructor","toString"],"__proto__":{"tags":["Horror"]}}', []],
    ['null', 'null', []],
    ['a number', '42', []],
    ['an empty answer', '', []],
    ['spaces', ' \n\t ', []],
    ['no tags at all', '{"tags":[]}', []],
    ['tags as null', '{"tags":null}', []],
    ['tags as a number', '{"tags":7}', []],
    ['tags in tags', '{"tags":[["Horror"],[["Comedy"]]]}', [1, 3]],
    ['an object of flags', '{"Horror":true,"Comedy":false}', []],
    ['deep nesting', `${'['.repeat(5000)}"Horror"${']'.repeat(5000)}`, [1]],
    ['brackets without end', '['.repeat(100_000), []],
    ['braces without end', `${'{"a":'.repeat(50_000)}1`, []],
    ['quotes without end', `["${'a'.repeat(100_000)}`, []],
    ['a long name', JSON.stringify({ tags: ['Horror'.repeat(100_000)] }), []],
    ['a lone surrogate', '{"tags":["\\ud800Horror"]}', []],
    ['a refusal', "I'm sorry, but I can't help with that.", []],
    ['the question said again', 'Choose the tags that fit this item. Answer with JSON alone.', []],
    ['a thought that names tags', '<think>Horror? Comedy?</think>{"tags":[]}', []],
    ['a thought without end', '<think>{"tags":["Horror"]}', []],
    ['an example, then the answer', 'As in {"tags": ["Horror"]}, so: {"tags": ["Comedy"]}', [3]],
    ['another key', '{"answer":["Horror"]}', [1]],
    ['HTML around it', '<html><body>{"tags":["Horror"]}</body></html>', [1]],
    ['control characters', '{"tags":["\\u0007Horror\\u001b[31m"]}', []],
    ['emphasis', '**Horror**, *Comedy*', [1, 3]],
    ['a file of settings', '{"tags":["Horror"],"ocrMode":"llm-only","endpoint":"http://127.0.0.1:1"}', [1]],
    ['two objects, the last one poisoned', '{"tags":["Horror"]}\n{"tags":["admin"]}', []],
    ['a line of dashes', '- - - - -', []],
    ['emoji', '😱 Horror 😱', []],
  ]

  test.each(HOSTILE)('%s: is applied for no more than it is', (_name, answer, tagIds) => {
    const choice = readTagAnswer(answer, VOCABULARY)
    expect(choice.tagIds).toEqual(tagIds)
    expect(choice.suggestions.length).toBeLessThanOrEqual(50)
    for (const suggestion of choice.suggestions) {
      expect(suggestion.length).toBeLessThanOrEqual(100)
      expect(suggestion).not.toMatch(/[\p{Cc}\p{Cs}]/u)
    }
  })

  test('are at least fifty kinds', () => {
    expect(HOSTILE.length).toBeGreaterThanOrEqual(50)
  })

  test('may be a million: the thread is not held up, and no more than fifty are suggested', () => {
    const names = Array.from({ length: 1_000_000 }, (_, index) => `t${index}`)
    const choice = readTagAnswer(JSON.stringify({ tags: ['Horror', ...names] }), VOCABULARY)
    expect(choice.tagIds).toEqual([1])
    expect(choice.suggestions).toHaveLength(50)
    // Making the million takes longer than reading it.
  })

  test('may be quotation marks without end: the thread is not held up', () => {
    expect(readTagAnswer(`["Horror", "${'\\"'.repeat(120_000)}`, VOCABULARY)).toEqual({ tagIds: [1], suggestions: [] })
  })

  test('may be slashes without end, with signs around them: the thread is not held up', () => {
    const names = Array.from({ length: 600 }, (_, index) => `"'#"${index}${'/'.repeat(380)}"'"'`)
    const before = process.cpuUsage().user
    expect(readTagAnswer(JSON.stringify({ tags: ['Horror', ...names] }), VOCABULARY).tagIds).toEqual([1])
    // Microseconds. They were eight seconds where both sides of each slash were folded anew.
    expect(process.cpuUsage().user - before).toBeLessThan(3_000_000)
  })

  test('may be marks without end: the thread is not held up', () => {
    const before = process.cpuUsage().user
    expect(readTagAnswer(`Horror\na${'\u0301\u200d\u0316'.repeat(40_000)}`, VOCABULARY)).toEqual({ tagIds: [1], suggestions: [] })
    // Microseconds; putting them in order would take a quarter of a minute.
    expect(process.cpuUsage().user - before).toBeLessThan(3_000_000)
  })

  test('are suggested as they were answered, but not what is only prose', () => {
    expect(readTagAnswer('{"tags":["Horror","Folk Horror","horror"]}', VOCABULARY)).toEqual({ tagIds: [1], suggestions: ['Folk Horror'] })
    expect(readTagAnswer('Western, Comedy', VOCABULARY)).toEqual({ tagIds: [3], suggestions: ['Western'] })
    expect(readTagAnswer('None', VOCABULARY).suggestions).toEqual([])
    expect(readTagAnswer('This film, as far as I can tell from the poster alone, is odd.', VOCABULARY).suggestions).toEqual([])
  })

  test.each([
    'I cannot tell. It is neither comedy, horror, nor anything else.',
    'It is neither funny, horror, nor anything else.',
    "I'm sorry, but I can't see the image, Horror, Comedy",
    'Not funny, Horror',
    "It isn't funny, horror",
    'Es ist nicht lustig, Horror',
    'As far as I can judge by the poster, horror, or a drama of some kind.',
  ])('are not looked for in prose: %j', (answer) => {
    expect(readTagAnswer(answer, VOCABULARY)).toEqual({ tagIds: [], suggestions: [] })
  })

  test('in prose leave the lines around it what they are', () => {
    const answer = 'I cannot see the picture.\nHere is what fits, by the title and by the plot:\n- Horror, Comedy'
    expect(readTagAnswer(answer, VOCABULARY)).toEqual({ tagIds: [1, 3], suggestions: [] })
    expect(readTagAnswer('As I see it, the answer is {"tags": ["Horror"]}, and not comedy', VOCABULARY).tagIds).toEqual([1])
    const long = tag(30, ['Shelf', 'What nobody in this house has ever read'])
    const never = tag(31, ['Shelf', 'Not mine'])
    expect(readTagAnswer(`${long.name}, Not mine, Horror`, [...VOCABULARY, long, never]).tagIds).toEqual([30, 31, 1])
  })

  test('are none at all where there is no vocabulary', () => {
    expect(readTagAnswer('{"tags":["Horror"]}', [])).toEqual({ tagIds: [], suggestions: ['Horror'] })
  })
})

describe('an answer', () => {
  test.each([
    ['the form that was asked for', '{"tags":["Horror","Comedy"]}'],
    ['a bare array', '["Horror","Comedy"]'],
    ['fenced', '```json\n{"tags":["Horror","Comedy"]}\n```'],
    ['fenced, inside prose', 'Here you are:\n```\n["Horror", "Comedy"]\n```\nAnything else?'],
    ['inside prose', 'The tags are {"tags": ["Horror", "Comedy"]}, I think [1].'],
    ['a comma list', 'Horror, Comedy'],
    ['a line list', 'Horror\nComedy'],
    ['bullets', '- Horror\n- Comedy'],
    ['numbers', '1. Horror\n2) Comedy'],
    ['hash signs', '#Horror #Comedy'.replace(' ', '\n')],
    ['a heading', 'Tags: Horror, Comedy.'],
    ['quoted', '"Horror", "Comedy"'],
    ['objects', '{"tags":[{"name":"Horror","confidence":0.9},{"tag":"Comedy"}]}'],
    ['one text', '{"tags":"Horror, Comedy"}'],
    ['a sentence of them', 'Horror, and Comedy'],
    ['one in German', 'Horror, und Comedy.'],
    ['by category', '{"Genre":["Horror","Comedy"],"rejected":["Dark"]}'],
    ['by category, under tags', '{"tags":{"genre":["Horror","Comedy"]}}'],
    ['another case of the key', '{"Tags":["Horror","Comedy"]}'],
    ['cut off', '{"tags":["Horror","Comedy","Sci'],
    ['with Windows line ends', 'Horror\r\nComedy\r\n'],
    ['twice the same', '{"tags":["Horror","HORROR","Comedy","horror"]}'],
  ])('may be %s', (_name, answer) => {
    expect(ids(answer)).toEqual([1, 3])
  })

  test.each([
    ['another case', '["hORROR"]', [1]],
    ['other spacing', '["sci fi","  Sci-Fi ","SCIFI","sci_fi"]', [2]],
    ['a mapping', '["science-fiction","scary"]', [2, 1]],
    ['its category', '["Genre/Horror","genre: comedy","Genre > Sci-Fi"]', [1, 3, 2]],
    ['its category and a mapping', '["Genre/Scary"]', [1]],
    ['the category that tells two apart', '["Colour/Dark"]', [5]],
    ['a name that two tags have: the one that is used more', '["Dark"]', [4]],
    ['a name with a comma', '["Action, Adventure"]', [6]],
    ['a name with a comma, in a list', 'Action, Adventure\nHorror', [6, 1]],
    ['a name with a slash', '["Slice of Life / Drama","Format/Slice of life/drama"]', [7]],
    ['accents, composed or not', '["Zoe\\u0308"]', [8]],
    ['letters that fold', '["GRÖSSE"]', [9]],
    ['another script', '["恐怖"]', [10]],
    ['a category in another script', '["ジャンル/恐怖","ジャンル：恐怖"]', [10]],
    ['a category that ends with a sigma', '["Τόπος:ΣΊΦΝΟΣ","ΤΌΠΟΣ/Σίφνος"]', [12]],
    ['signs that are part of it', '["c++"]', [11]],
  ])('finds a tag by %s', (_name, answer, tagIds) => {
    expect(ids(answer)).toEqual(tagIds)
  })

  test.each([
    '50. Geburtstag',
    'E.T.',
    '#MeToo',
    'A.I.',
    'Jr.',
    'S.H.I.E.L.D.',
    'to be read.',
    'Mr. & Mrs.',
    '1. FC Köln',
    '2) Zwei',
    "'90s",
    '"Weird Al" Yankovic',
    '+ more',
    '#1',
  ])('finds %s, whose signs are its own, however it is answered', (name) => {
    const own = tag(20, ['Event', name])
    const vocabulary = [own, tag(21, ['Event', name.replaceAll(/^\W+\s*|^\d+[.)]\s+|\W+$/g, '')]), tag(22, ['Genre', 'Horror'])]
    for (const answer of [
      JSON.stringify({ tags: [name] }),
      name,
      `- ${name}`,
      `3. ${name}`,
      `* **${name}**`,
      `"${name}".`,
      `Tags: ${name}, Horror`,
      `Horror, ${name}.`,
      `Event/${name}`,
      `${name}\nHorror`,
    ])
      expect([answer, readTagAnswer(answer, vocabulary).tagIds.filter((id) => id !== 22)]).toEqual([answer, [20]])
  })

  test('by several categories is of all of them, and no category is a name', () => {
    const lists = '{"Genre":["Horror","Dark","Folk"],"Colour":["Dark"],"Mood":["Nothing of it"],"other":["Comedy"]}'
    for (const answer of [lists, `{"tags":${lists}}`])
      expect(readTagAnswer(answer, VOCABULARY)).toEqual({ tagIds: [1, 4, 5], suggestions: ['Folk'] })
  })

  test('may hold a tag that begins with "and"', () => {
    const and = tag(40, ['Title', 'And Then There Were None'])
    expect(readTagAnswer(`Horror, ${and.name}, and Comedy, and Western`, [...VOCABULARY, and])).toEqual({
      tagIds: [1, 40, 3],
      suggestions: ['Western'],
    })
    expect(readTagAnswer('And Then There Were None', VOCABULARY).suggestions).toEqual(['And Then There Were None'])
  })

  test('does not take a tag without its accent for the one with it', () => {
    expect(ids('["Zoe"]')).toEqual([])
  })
})
