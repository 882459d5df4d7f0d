import { describe, expect, test } from 'bun:test'
import { parseAss } from '../../src/media/subtitles-ass.ts'
import { decodeSubtitles } from '../../src/media/subtitles-charset.ts'
import { renderVtt } from '../../src/media/subtitles-cues.ts'
import { parseTimedText } from '../../src/media/subtitles-text.ts'

const fromText = (text: string): string => renderVtt(parseTimedText(text))
/** The cues alone, one a text. */
const cues = (vtt: string): string[] =>
  vtt
    .split('\n\n')
    .slice(1)
    .map((block) => block.trim())

describe('what is no subtitle', () => {
  test.each([
    '',
    'hello',
    '1\n2\n3\n',
    '00:00:01,000 -->',
    '00:00:05,000 --> 00:00:01,000\nbackwards',
    '00:00:01,000 --> 00:00:02,000\n\n',
  ])('%p has no cues', (text) => {
    expect(fromText(text)).toBe('WEBVTT\n')
  })
  test('markup of a page, styles and scripts never arrive', () => {
    const hostile =
      '00:01.000 --> 00:02.000\n<script>alert(1)</script><img src=x onerror=alert(1)><c.red onclick="x">a</c> <b style="x">b</b>\n'
    expect(cues(fromText(`WEBVTT\n\nSTYLE\n::cue { background: url(http://x) }\n\n${hostile}`))).toEqual([
      '00:00:01.000 --> 00:00:02.000\nalert(1)a <b>b</b>',
    ])
  })
  test('a text cannot begin a cue of its own', () => {
    expect(cues(fromText('1\n00:00:01,000 --> 00:00:02,000\na --> b & <3 &amp; <i>open\n'))).toEqual([
      '00:00:01.000 --> 00:00:02.000\na --&gt; b &amp; &lt;3 &amp; <i>open</i>',
    ])
  })
})

describe('SubRip', () => {
  test('line ends of Windows and old Macs, a byte order mark, commas, short numbers, and one dash too few', () => {
    const text = '\ufeff1\r\n00:00:01,500 --> 00:00:02,000\r\nA\r\n\r\n2\r\n0:0:3.5 -> 00:00:04,1\r\nB\r\n'
    expect(fromText(text)).toBe('WEBVTT\n\n00:00:01.500 --> 00:00:02.000\nA\n\n00:00:03.500 --> 00:00:04.100\nB\n')
    expect(fromText(text.replaceAll('\r\n', '\r'))).toBe(fromText(text))
  })
  test('the number of the next cue is not the text of this one, but a number may be a text', () => {
    const text = '1\n00:00:01,000 --> 00:00:02,000\n42\n\n2\n00:00:03,000 --> 00:00:04,000\n\n1984\n\n'
    expect(cues(fromText(text)).map((cue) => cue.split('\n').slice(1))).toEqual([['42'], ['1984']])
  })
  test('an empty line inside a cue does not cut it off', () => {
    expect(cues(fromText('1\n00:00:01,000 --> 00:00:02,000\nfirst\n\nsecond\n\n2\n00:00:03,000 --> 00:00:04,000\nx\n'))[0]).toEndWith(
      'first\nsecond',
    )
  })
  test.each([
    ['{\\an8}', ' line:0'],
    ['{\\an7}', ' line:0 align:start position:5%'],
    ['{\\an5}', ' line:50%'],
    ['{\\an3}', ' align:end position:95%'],
    ['{\\an2}', ''],
    ['{\\fad(1,2)}', ''],
  ])('%s', (mark, settings) => {
    expect(cues(fromText(`1\n00:00:01,000 --> 00:00:02,000\n${mark}Up\n`))).toEqual([`00:00:01.000 --> 00:00:02.000${settings}\nUp`])
  })
  test('fonts go, italics stay, and cues stand in order', () => {
    const text = '2\n00:00:03,000 --> 00:00:04,000\n<i>b</i>\n\n1\n00:00:01,000 --> 00:00:02,000\n<font color="#ff0000">a</font>\n'
    expect(cues(fromText(text))).toEqual(['00:00:01.000 --> 00:00:02.000\na', '00:00:03.000 --> 00:00:04.000\n<i>b</i>'])
  })
})

test('WebVTT keeps what places a cue, and loses notes, styles, names and regions', () => {
  const text =
    'WEBVTT - title\n\nNOTE\nx\n\nid\n00:01.000 --> 00:02.000 line:10% align:start region:r bogus:1\n<v Ann>Hi <lang de>du</lang>\n\nNOTE y\n'
  expect(cues(fromText(text))).toEqual(['00:00:01.000 --> 00:00:02.000 line:10% align:start\nHi du'])
})

describe('Sub Station Alpha', () => {
  const script = (version: string, alignments: string, ...lines: string[]): string =>
    [
      '[Script Info]',
      `[${version}]`,
      'Format: Name, Fontname, Alignment',
      ...alignments.split(' ').map((alignment, place) => `Style: S${place},Arial,${alignment}`),
      '[Events]',
      'Format: Layer, Start, End, Style, Text',
      ...lines.map((line) => `Dialogue: 0,0:00:01.00,0:00:02.50,${line}`),
    ].join('\r\n')
  const settingsOf = (cue: string | undefined): string => /--> \S+ ?(.*)\n/.exec(cue ?? '')?.[1] ?? 'none'

  test('commas, line breaks, italics and hard spaces of a text', () => {
    expect(cues(renderVtt(parseAss(script('V4+ Styles', '2', 'S0,{\\i1}Yes{\\i0}, of\\hcourse\\Nnot <b>'))))).toEqual([
      '00:00:01.000 --> 00:00:02.500\n<i>Yes</i>, of\u00a0course\nnot &lt;b&gt;',
    ])
  })
  test('drawings, comments, effects and doubles are left out', () => {
    const lines = ['S0,{\\p1}m 0 0 l 9 9{\\p0}Sign', 'S0,Sign', 'S0,{\\pos(3,4)\\k20\\fnArial}']
    expect(cues(renderVtt(parseAss(`${script('V4+ Styles', '2', ...lines)}\r\nComment: 0,0:00:01.00,0:00:02.00,S0,No`)))).toEqual([
      '00:00:01.000 --> 00:00:02.500\nSign',
    ])
  })
  test('a place comes from the style, or from the line itself', () => {
    const vtt = renderVtt(parseAss(script('V4+ Styles', '8 2', 'S0,a', 'S1,b', 'S1,{\\an9}c')))
    expect(cues(vtt).map(settingsOf)).toEqual(['line:0', '', 'line:0 align:end position:95%'])
  })
  test('the older form counts places otherwise', () => {
    const vtt = renderVtt(parseAss(script('V4 Styles', '6 2 10', 'S0,a', 'S1,b', 'S2,c')))
    expect(cues(vtt).map(settingsOf)).toEqual(['line:0', '', 'line:50%'])
  })
})

describe('bytes', () => {
  const wide = (text: string, isLittle: boolean): Uint8Array => {
    const bytes = Buffer.from(text, 'utf16le')
    return isLittle ? bytes : Buffer.from(bytes).swap16()
  }
  const CASES: [name: string, bytes: Uint8Array, language: string | null, text: string][] = [
    ['UTF-8', Buffer.from('Grüße, 你好'), null, 'Grüße, 你好'],
    ['UTF-8 with a mark', Buffer.from('\ufeffGrüße'), null, 'Grüße'],
    ['UTF-16, little end first, with a mark', wide('\ufeffGrüße 你好', true), null, 'Grüße 你好'],
    ['UTF-16, big end first, with a mark', wide('\ufeffGrüße', false), null, 'Grüße'],
    ['UTF-16 without a mark', wide('1\n00:00:01,000 --> 00:00:02,000\nGrüße', true), null, '1\n00:00:01,000 --> 00:00:02,000\nGrüße'],
    ['Windows-1252', Uint8Array.from([0x47, 0x72, 0xfc, 0xdf, 0x65, 0x20, 0x93, 0x80]), null, 'Grüße “€'],
    ['Windows-1251 of a Russian file', Uint8Array.from([0xcf, 0xf0, 0xe8]), 'ru', 'При'],
    ['Shift JIS of a Japanese file', Uint8Array.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67]), 'ja', 'テスト'],
    ['Big5 of a file in traditional script', Uint8Array.from([0xa7, 0x41]), 'zh-Hant', '你'],
  ]
  test.each(CASES)('%s', (_, bytes, language, text) => {
    expect(decodeSubtitles(bytes, language)).toBe(text)
  })
})
