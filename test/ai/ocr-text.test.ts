import { describe, expect, test } from 'bun:test'
import { orderVertical } from '../../src/ai/ocr-sparse.ts'
import { readTsv, withoutCjkSpaces } from '../../src/ai/ocr-text.ts'

type Row = [text: string, confidence: number, place?: { paragraph?: number; line?: number; box?: [number, number, number, number] }]

/** As tesseract writes it, with the rows of blocks and lines that hold no word. */
const tsv = (rows: Row[]): string =>
  [
    '1\t1\t0\t0\t0\t0\t0\t0\t800\t600\t-1\t',
    ...rows.map(([text, confidence, { paragraph = 1, line = 1, box = [0, 0, 10, 10] } = {}]) =>
      ['5', '1', '1', paragraph, line, '1', ...box, confidence, text].join('\t'),
    ),
    '',
  ].join('\n')

describe('what is no text is left out', () => {
  test.each<[string, Row[]]>([
    ['nothing at all', []],
    ['words of spaces', [['   ', 95]]],
    [
      'grain read as letters',
      [
        ['rn', 12],
        ['iil', 14],
      ],
    ],
    [
      'a line of unsure words',
      [
        ['nWv', 40],
        ['oo', 44],
      ],
    ],
    [
      'a line of marks, however sure',
      [
        ['|', 96],
        ['—', 95],
      ],
    ],
  ])('%s', (_, rows) => {
    expect(readTsv(tsv(rows))).toEqual({ text: '', confidence: 0 })
  })

  test('an unsure word among sure ones goes alone', () => {
    expect(
      readTsv(
        tsv([
          ['The', 96],
          ['~~', 3],
          ['gate', 90],
        ]),
      ).text,
    ).toBe('The gate')
  })

  test('but not one with letters between two of which it is sure: of some words that it has read well the engine says 0', () => {
    const line = (last: Row): Row[] => [['your or', 97], ['third', 96], ['parties’', 0], last]
    expect(readTsv(tsv(line(['legal', 96])))).toEqual({ text: 'your or third parties’ legal', confidence: expect.closeTo(96.4, 1) })
    expect(readTsv(tsv(line(['lxgal', 60]))).text).toBe('your or third lxgal')
    expect(
      readTsv(
        tsv([
          ['nWv', 0],
          ['third', 96],
          ['oo', 0],
        ]),
      ).text,
    ).toBe('third')
  })

  test('a line of grain among lines of text goes alone', () => {
    expect(
      readTsv(
        tsv([
          ['The gate', 96],
          ['oE z', 22, { line: 2 }],
          ['is open.', 95, { line: 3 }],
        ]),
      ).text,
    ).toBe('The gate\nis open.')
  })
})

describe('text as it was written', () => {
  test('lines stay lines, and paragraphs are an empty line apart', () => {
    expect(
      readTsv(
        tsv([
          ['one', 90],
          ['two', 90, { line: 2 }],
          ['three', 90, { paragraph: 2 }],
        ]),
      ).text,
    ).toBe('one\ntwo\n\nthree')
  })

  test('no spaces between Japanese characters, and none where a line of it ends', () => {
    const rows: Row[] = [
      ['吾輩', 90],
      ['は', 90],
      ['猫', 90],
      ['で', 90, { line: 2 }],
      ['ある', 90, { line: 2 }],
      ['。', 90, { line: 2 }],
    ]
    expect(readTsv(tsv(rows)).text).toBe('吾輩は猫である。')
  })

  test.each([
    ['漢 字', '漢字'],
    ['カー ド', 'カード'],
    ['「 ね え 」 と', '「ねえ」と'],
    ['第 3 巻', '第 3 巻'],
    ['the 猫 sat', 'the 猫 sat'],
    ['나 보기가 역겨워', '나 보기가 역겨워'],
    ['two  spaces', 'two  spaces'],
    ['猫\n犬', '猫\n犬'],
  ])('%j becomes %j', (read, text) => {
    expect(withoutCjkSpaces(read)).toBe(text)
  })

  test('a bar before a word is the letter I, another bar is none', () => {
    const read = (...words: string[]) => readTsv(tsv(words.map((word): Row => [word, 90]))).text
    expect(read('and', '|', 'shall', 'tell')).toBe('and I shall tell')
    expect(read('|', '12', '|', '30')).toBe('| 12 | 30')
  })

  test('characters that are written in two parts are put together', () => {
    expect(readTsv(tsv([['cafe\u0301', 90]])).text).toBe('café')
  })

  test('long words say more of how sure a text is than short ones', () => {
    expect(
      readTsv(
        tsv([
          ['abcdefghi', 90],
          ['.', 20],
        ]),
      ).confidence,
    ).toBeCloseTo(83)
  })
})

describe('bubbles', () => {
  const tall = (left: number, top: number, height = 120) => ({ left, top, width: 30, height })

  test('go by rows, each from right to left, and so do the lines of each', () => {
    const [a1, a2, b1, b2, c] = [tall(900, 100), tall(860, 110), tall(300, 140), tall(262, 120), tall(880, 800)]
    expect(orderVertical([b2, c, a2, b1, a1])).toEqual([[a1, a2], [b1, b2], [c]])
  })

  test('two that stand a bubble apart are two', () => {
    expect(orderVertical([tall(500, 0), tall(400, 0)])).toHaveLength(2)
  })

  test('of what was found anywhere, lines that do not stand upright are drawing', () => {
    const rows: Row[] = [
      ['約束を', 90, { line: 1, box: [100, 50, 30, 100] }],
      ['ニニ', 90, { line: 2, box: [300, 50, 200, 12] }],
      ['忘れた', 90, { line: 3, box: [62, 50, 30, 100] }],
    ]
    expect(readTsv(tsv(rows), 'bubbles').text).toBe('約束を忘れた')
  })
})
