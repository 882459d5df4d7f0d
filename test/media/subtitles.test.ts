import { describe, expect, test } from 'bun:test'
import { subtitlesAsVtt } from '../../src/media/subtitles.ts'
import { parseAss } from '../../src/media/subtitles-ass.ts'
import { decodeSubtitles } from '../../src/media/subtitles-charset.ts'
import { renderVtt } from '../../src/media/subtitles-cues.ts'
import { parseTimedText } from '../../src/media/subtitles-text.ts'
import { processorMs } from '../support/processor-time.ts'

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

describe('SubRip of other programs', () => {
  const textOf = (text: string): string | undefined =>
    cues(fromText(`1\n00:00:01,000 --> 00:00:02,000\n${text}\n`))[0]
      ?.split('\n')
      .slice(1)
      .join('\n')

  /** FFmpeg's `sub/badsyntax.srt` and the capability tester by ale5000 (pysrt has it among its tests). */
  test.each([
    ['<<THE HIGH ROLLERS>>\n<<Grandes Jogadores>>', '&lt;&lt;THE HIGH ROLLERS&gt;&gt;\n&lt;&lt;Grandes Jogadores&gt;&gt;'],
    ["<<That's OK, >> - he calmed himself.", "&lt;&lt;That's OK, &gt;&gt; - he calmed himself."],
    ['a <<>Le Cirque-ben.', 'a &lt;&lt;&gt;Le Cirque-ben.'],
    ['<font color="#FFFF00">\n<<<<www.egfire.com>>>></font>', '&lt;&lt;&lt;&lt;www.egfire.com&gt;&gt;&gt;&gt;'],
    ['<b><<< UNACS < 2015 > TEAM >>></b>', '<b>&lt;&lt;&lt; UNACS &lt; 2015 &gt; TEAM &gt;&gt;&gt;</b>'],
    ['<u>2<3,5>1,4<6</u>', '<u>2&lt;3,5&gt;1,4&lt;6</u>'],
    ['<I am here>', '&lt;I am here&gt;'],
  ])('what stands between angles and is no markup stays: %p', (text, said) => {
    expect(textOf(text)).toBe(said)
  })
  test.each([
    ['<invalid_tag par=5>text</invalid_tag>', 'text'],
    ['<v Ann>Hi <c.red>you</c> <00:00:01.500>there', 'Hi you there'],
    ['<script src="x">alert(1)</script><img src=x onerror=alert(1)>', 'alert(1)'],
    ['<SCRIPT>alert(1)</SCRIPT><svg/onload=alert(1)>', 'alert(1)&lt;svg/onload=alert(1)&gt;'],
    ['one<br>two<br/>three', 'one\ntwo\nthree'],
    ['< u><i><font color="red" >It\'s < s>a< /  i > u</s></xyz>', "<u><i>It's a</i> u</u>"],
  ])('markup goes, as in %p', (text, said) => {
    expect(textOf(text)).toBe(said)
  })
  test('no text becomes an element, however it is put together', () => {
    const parts = [
      '<',
      '>',
      '</',
      '/>',
      'script',
      'img',
      'b',
      ' ',
      '=',
      '"',
      'onerror=x',
      '&lt;',
      '&',
      '\n',
      '<<',
      'ruby',
      'rt',
      '{\\i1}',
      '\\N',
      '-->',
    ]
    let seed = 7
    const next = (): string => {
      seed = (seed * 48_271) % 2_147_483_647
      return parts[seed % parts.length] ?? ''
    }
    for (let round = 0; round < 3000; round++) {
      const text = Array.from({ length: 12 }, next).join('')
      for (const head of ['', 'WEBVTT\n\n']) {
        const vtt = fromText(`${head}00:00:01.000 --> 00:00:02.000\n${text}\n`)
        const said = vtt.replace('00:00:01.000 --> 00:00:02.000\n', '')
        expect([text, /<(?!\/?(?:b|i|u|ruby|rt)>)/.test(said), said.includes('-->')]).toEqual([text, false, false])
      }
    }
  })
  test('long rows of one thing cost no more than others', () => {
    const row = (text: string): string => text.repeat(200_000)
    const texts = [
      `<${row(' ')}3>`,
      `<a${row(' ')}x>`,
      `<${row('a')}!>`,
      row('<'),
      row('<b><i>') + row('</b>'),
      row('{\\i1}'),
      `<${row('1:')}x>`,
      `{${row('\\\\a1')}23`,
      row('{\\\\a'),
    ]
    const started = processorMs()
    for (const text of texts) textOf(text)
    expect(processorMs() - started).toBeLessThan(5000)
  })
  test.each([
    // FFmpeg's `htmlsubtitles.c` takes styles for switches.
    ['<b>a<i>b</b>c</i>d', '<b>a<i>b</i></b><i>c</i>d'],
    ['{\\i1}a{\\i0} {\\b1}b{\\b0}', '<i>a</i> <b>b</b>'],
    ['hide {\\some} and {Y:i}, show {normal text}', 'hide  and , show {normal text}'],
    ['one\\Ntwo\\hthree \\TEST', 'one\ntwo\u00a0three \\TEST'],
  ])('switches: %p', (text, said) => {
    expect(textOf(text)).toBe(said)
  })
  /** cdown/srt. */
  test.each(['00:00:01,000 - > 00:00:02,000', '00：00：01，000 --> 00：00：02，000', '00:00:01,000 --> 00:00:02,000 hack the gibson'])(
    'times as in %p',
    (times) => {
      expect(cues(fromText(`1\n${times}\nx\n`))).toEqual(['00:00:01.000 --> 00:00:02.000\nx'])
    },
  )
  /** ExoPlayer, `typical_with_tags`, `typical_missing_timecode` and `typical_unexpected_end`. */
  test('times are never shown: three digits of seconds are read, and those of which one is missing end a cue', () => {
    const said = (text: string): string[] => cues(fromText(text)).map((cue) => cue.replaceAll('\n', '|'))
    const first = '1\n00:00:09,567 --> 00:00:12,901\na\n\n2\n'
    expect(said(`${first}00:00:013,567 --> 00:00:14,901\nb\n`)).toEqual([
      '00:00:09.567 --> 00:00:12.901|a',
      '00:00:13.567 --> 00:00:14.901|b',
    ])
    for (const times of ['       --> 02:00:10,901', '02:00:12,901 -->', '-->', '1:00:00:01,000 --> 1:00:00:02,000'])
      expect(said(`${first}${times}\nb\n\n3\n03:00:00,000 --> 03:00:01,000\nc\n`)).toEqual([
        '00:00:09.567 --> 00:00:12.901|a',
        '03:00:00.000 --> 03:00:01.000|c',
      ])
    expect(said(first)).toEqual(['00:00:09.567 --> 00:00:12.901|a'])
    expect(said(`${first}2\n3`)).toEqual(['00:00:09.567 --> 00:00:12.901|a|2|2|3'])
    expect(said(first.replace('a\n\n2', 'Room\n\n101'))).toEqual(['00:00:09.567 --> 00:00:12.901|Room|101'])
    expect(said(first.replace('a\n\n2', 'this --> that\n\n2'))).toEqual(['00:00:09.567 --> 00:00:12.901|this --&gt; that'])
  })
  /** Shaka Player, `srt_text_parser_unit.js`. */
  test.each([
    ['{b}Test{/b} Unstyled', '\n<b>Test</b> Unstyled'],
    ['{I}a{/I}{u}b{/u}', '\n<i>a</i><u>b</u>'],
    ['{\\a1}x', ' align:start position:5%\nx'],
    ['{\\a6}x', ' line:0\nx'],
    ['{\\a10}x', ' line:50%\nx'],
    ['{\\a4}x', ' line:0 align:start position:5%\nx'],
    ['{\\a8}x', ' line:0 align:start position:5%\nx'],
    ['{\\fs20\\an8\\c&HFF&}x', ' line:0\nx'],
    ['{\\alpha1}{\\an11}{\\a}x', '\nx'],
  ])('braces: %p', (text, said) => {
    expect(cues(fromText(`1\n00:00:01,000 --> 00:00:02,000\n${text}\n`))).toEqual([`00:00:01.000 --> 00:00:02.000${said}`])
  })
  test('numbers below nought are numbers of cues, too', () => {
    const text = '-1\n00:00:01,000 --> 00:00:02,000\nx\n\n-2\n00:00:03,000 --> 00:00:04,000\ny\n-1\n\n3\n00:00:05,000 --> 00:00:06,000\nz\n'
    expect(cues(fromText(text)).map((cue) => cue.split('\n').slice(1))).toEqual([['x'], ['y', '-1'], ['z']])
  })
})

/** The tests of web-platform-tests, "webvtt/parsing". */
describe('WebVTT of the standard', () => {
  const TIMES = '00:00:00.000 --> 00:00:01.000'
  const partsOf = (vtt: string): string[] => cues(vtt).map((cue) => cue.slice(TIMES.length).trim())

  test('a line of spaces ends none: captions of YouTube begin with one', () => {
    const text = `WEBVTT\nKind: captions\n\n${TIMES} align:start position:0%\n \nhello<00:00:00.480><c> everyone</c>\n\n${TIMES}\nwelcome\n \n\nNOTE x\n`
    expect(partsOf(fromText(text))).toEqual(['align:start position:0%\nhello everyone', 'welcome'])
  })
  test('a line with an arrow ends a cue', () => {
    expect(partsOf(fromText(`WEBVTT\n\n-->\n${TIMES}\ntext1\nfoo-->\n${TIMES}\ntext2\n-->-->\n${TIMES}\ntext3\n`))).toEqual([
      'text1',
      'text2',
      'text3',
    ])
  })
  test.each([
    [' position:1%,middle', 'position:1%'],
    [' position:10%,start align:left size:35%', 'position:10% align:left size:35%'],
    [' line:100%,middle', 'line:100%'],
    [' line:100%,end', 'line:100%,end'],
    ['line:40% size:40%', 'line:40% size:40%'],
    [' position:1%x line:1%% size:-3%', ''],
  ])('settings: %p', (settings, kept) => {
    expect(partsOf(fromText(`WEBVTT\n\n${TIMES}${settings}\nx\n`))).toEqual([`${kept}\nx`.trim()])
  })
  test.each([
    '00:00:00.000 --> 00:00:01.0000',
    '00:00:00.0000 --> 00:00:01.000',
    '00:00:00.000 -- > 00:00:01.000',
    '00:00:00.000 --> 00:00:01..000',
  ])('no times: %p', (times) => {
    expect(fromText(`WEBVTT\n\n${times}\ninvalid\n`)).toBe('WEBVTT\n')
  })
  test.each([
    ['<ruby>a<rt>b', '<ruby>a<rt>b</rt></ruby>'],
    ['<ruby>a<rt>b</ruby>c', '<ruby>a<rt>b</rt></ruby>c'],
    ['<ruby>a<rt><b>b</rt></ruby>c', '<ruby>a<rt><b>bc</b></rt></ruby>'],
    ['<ruby>a<rt><b>b</rt></b>c</ruby>d', '<ruby>a<rt><b>b</b>c</rt></ruby>d'],
    ['&amp; &nbsp; &eacute; &copy; &#233;', '&amp; &nbsp; &eacute; &copy; &#233;'],
    ['& && &amp &; &1; R&D', '&amp; &amp;&amp; &amp;amp &amp;; &amp;1; R&amp;D'],
  ])('text: %p', (text, said) => {
    expect(partsOf(fromText(`WEBVTT\n\n${TIMES}\n${text}\n`))).toEqual([said])
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
  /** pysubs2, `test_substation.py` and `test_parse_tags.py`; Jellyfin, `SsaParserTests`. */
  test('times without a fraction, and such as begin before the film', () => {
    const lines = [
      'Dialogue: 0,0:00:23,0:01:23,S0,a',
      'Dialogue: 0,-1:59:54.93,0:01:00.00,S0,b',
      'Dialogue: 0,-0:00:02.00,-0:00:01.00,S0,c',
    ]
    expect(cues(renderVtt(parseAss([script('V4+ Styles', '2'), ...lines].join('\n'))))).toEqual([
      '00:00:00.000 --> 00:01:00.000\nb',
      '00:00:23.000 --> 00:01:23.000\na',
    ])
  })
  test('lines that are indented, labels in other letters, and events without a format', () => {
    const indented = '[Events]\n  Format: Layer, Start, End, Text\n\tDialogue: ,0:00:01.18,0:00:01.85,a, b\n'
    expect(cues(renderVtt(parseAss(indented)))).toEqual(['00:00:01.180 --> 00:00:01.850\na, b'])
    const bare = '[V4 Styles]\nFormat: Name, Alignment\nStyle: S,6\n[EvEnTs]\ndialogue: Marked=0,0:00:01.00,0:00:02.00,S,Ann,0,0,0,,a, b\n'
    expect(cues(renderVtt(parseAss(bare)))).toEqual(['00:00:01.000 --> 00:00:02.000 line:0\na, b'])
  })
  test('a style that nobody could place stands where most do', () => {
    expect(cues(renderVtt(parseAss(script('V4+ Styles', '123 0', 'S0,a', 'S1,b')))).map(settingsOf)).toEqual(['', ''])
  })
  test.each([
    ['{\\i1}Hello, {\\r}world!', '<i>Hello, </i>world!'],
    ['{\\i1}{\\b1}Hello, {\\rother style\\u1}world!', '<i><b>Hello, </b></i><u>world!</u>'],
    ['{\\b1}a{\\i1}b{\\b0}c{\\i0}d', '<b>a<i>b</i></b><i>c</i>d'],
    ['{\\fad(1,2)\\be1\\pbo3\\1a&HFF&}x{\\paws}', 'x'],
  ])('%p', (text, said) => {
    expect(cues(renderVtt(parseAss(script('V4+ Styles', '2', `S0,${text}`))))).toEqual([`00:00:01.000 --> 00:00:02.500\n${said}`])
  })
  test('a format of more fields than any script has is none', () => {
    const format = `Format: ${'x,'.repeat(1_000_000)}Text`
    const events = `[Events]\n${format}\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,Hello, you\n`
    expect(cues(renderVtt(parseAss(events)))).toEqual(['00:00:01.000 --> 00:00:02.000\nHello, you'])
  })
  /** ExoPlayer, `style_bold_italic` and `style_underline`; Jellyfin's `example.ass` is bold, and is read without. */
  test('italics and underlines come from the style; bold, like colours, does not', () => {
    const lines = [
      '[V4+ Styles]',
      'Format: Name      ,Bold,Italic,Underline',
      'Style: Plain      ,-1  ,0     ,0',
      'Style: Thought    ,0   ,-1    ,0',
      'Style: Both       ,1   ,1     ,-1',
      '[Events]',
      'Format: Start,End,Style,Text',
      ...[
        'Plain,a',
        'Thought,b',
        'Both,c',
        'Thought,d {\\i0}no {\\i1\\u1}yes {\\r}e {\\rPlain}f {\\rNobody}g',
        'Thought,{\\p1}m 0 0 l 9 9{\\p0}',
        'Nobody,h',
      ].map((line) => `Dialogue: 0:00:01.00,0:00:02.00,${line}`),
    ]
    expect(cues(renderVtt(parseAss(lines.join('\n')))).map((cue) => cue.split('\n')[1])).toEqual([
      'a',
      '<i>b</i>',
      '<i><u>c</u></i>',
      '<i>d </i>no <i><u>yes </u>e </i>f <i>g</i>',
      'h',
    ])
  })
  test('switches that change nothing say nothing, and of a text that grows without end the beginning is read', () => {
    const styles = '[V4+ Styles]\nFormat: Name,Italic,Underline\nStyle: x,1,1\nStyle: y,0,0\n[Events]\nFormat: Start,End,Style,Text\n'
    const of = (text: string): string => cues(renderVtt(parseAss(`${styles}Dialogue: 0:00:01.00,0:00:02.00,x,${text}`)))[0] ?? ''
    expect(of(`${'{\\r}{\\i1}'.repeat(20_000)}a`)).toBe('00:00:01.000 --> 00:00:02.000\n<i><u>a</u></i>')
    expect(of('{\\ry}a{\\r}b'.repeat(20_000)).length).toBeLessThan(512 * 1024)
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
  const oldBytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'))
  const CASES: [name: string, bytes: Uint8Array, language: string | null, text: string][] = [
    ['UTF-8', Buffer.from('Grüße, 你好'), null, 'Grüße, 你好'],
    ['UTF-8 with a mark', Buffer.from('\ufeffGrüße'), null, 'Grüße'],
    [
      'UTF-8 with a byte that is broken',
      Buffer.concat([Buffer.from('Grüße über Ängste, öde Höhlen, früher Übermut, schöne Wärme für Käthe'), Buffer.from([0xc3])]),
      null,
      'Grüße über Ängste, öde Höhlen, früher Übermut, schöne Wärme für Käthe\ufffd',
    ],
    ['UTF-16, little end first, with a mark', wide('\ufeffGrüße 你好', true), null, 'Grüße 你好'],
    ['UTF-16, big end first, with a mark', wide('\ufeffGrüße', false), null, 'Grüße'],
    ['UTF-16 without a mark', wide('1\n00:00:01,000 --> 00:00:02,000\nGrüße', true), null, '1\n00:00:01,000 --> 00:00:02,000\nGrüße'],
    ['Windows-1252', Uint8Array.from([0x47, 0x72, 0xfc, 0xdf, 0x65, 0x20, 0x93, 0x80]), null, 'Grüße “€'],
    ['Windows-1251 of a Russian file', Uint8Array.from([0xcf, 0xf0, 0xe8]), 'ru', 'При'],
    [
      'Windows-1251 of a file that says no language',
      oldBytes(
        '1\n00:00:01,000 --> 00:00:02,000\n<i>\xc8\xe7 \xe7\xee\xf0\xe5 \xe2\xf0\xe5\xec\xe5\xed\xe0 \xe4\xee\xeb\xe0\xe7\xe8\xec\xee</i>\n',
      ),
      null,
      '1\n00:00:01,000 --> 00:00:02,000\n<i>Из зоре времена долазимо</i>\n',
    ],
    ['one word says too little', oldBytes('\xc8\xe7 \xe7\xee\xf0\xe5'), null, 'Èç çîðå'],
    ['Windows-1251 of a Serbian file', oldBytes('www.titlovi.com\n\xc8\xe7 \xe7\xee\xf0\xe5'), 'sr', 'www.titlovi.com\nИз зоре'],
    ['Windows-1250 of a Serbian file', oldBytes('Ne\xe6e da iza\xf0e. \xd0i\xf0i!'), 'sr', 'Neće da izađe. Điđi!'],
    ['Windows-1252 of a French file', oldBytes('\xab \xc7a, cr\xe9\xe9e l\x92\xe9t\xe9\x85 \xbb'), null, '« Ça, créée l’été… »'],
    ['Shift JIS of a Japanese file', Uint8Array.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67]), 'ja', 'テスト'],
    ['Big5 of a file in traditional script', Uint8Array.from([0xa7, 0x41]), 'zh-Hant', '你'],
  ]
  test.each(CASES)('%s', (_, bytes, language, text) => {
    expect(decodeSubtitles(bytes, language)).toBe(text)
  })
})

describe('.sub files of text', () => {
  const read = (text: string, frameRate?: number): string[] =>
    cues(subtitlesAsVtt(new TextEncoder().encode(text), { format: 'sub', language: null, frameRate }))

  test('of MicroDVD count frames: those that the first line tells, else those of the video, else those of films', () => {
    expect(read('{1}{1}25.000\n{25}{50}a\n', 50)).toEqual(['00:00:01.000 --> 00:00:02.000\na'])
    expect(read('{25}{50}a\n', 50)).toEqual(['00:00:00.500 --> 00:00:01.000\na'])
    expect(read('{0}{24}a\n{24}{48}b')).toEqual(['00:00:00.000 --> 00:00:01.001\na', '00:00:01.001 --> 00:00:02.002\nb'])
  })
  test('of MicroDVD have lines, styles and codes, and may miss an end', () => {
    expect(read('{25}{50}{C:$0000FF}{y:i}one & < 2|two\r\n{75}{}three|{Y:b,i}four\r\nno line of it\r\n', 25)).toEqual([
      '00:00:01.000 --> 00:00:02.000\n<i>one &amp; &lt; 2</i>\ntwo',
      '00:00:03.000 --> 00:00:08.000\nthree\n<i>four</i>',
    ])
  })
  test('of MPL2 count tenths of seconds', () => {
    expect(read('[10][20]/one|two\n[30][45]three\n', 25)).toEqual([
      '00:00:01.000 --> 00:00:02.000\n<i>one</i>\ntwo',
      '00:00:03.000 --> 00:00:04.500\nthree',
    ])
  })
  test('of SubViewer have times', () => {
    const head = '[INFORMATION]\n[TITLE]x\n[END INFORMATION]\n[SUBTITLE]\n[COLF]&HFFFFFF\n'
    expect(read(`${head}00:00:01.00,00:00:02.50\none[br]two\n\n00:00:03.00,00:00:04.00\nthree\n`)).toEqual([
      '00:00:01.000 --> 00:00:02.500\none\ntwo',
      '00:00:03.000 --> 00:00:04.000\nthree',
    ])
  })
  test.each(['', 'bitmaps', '{1}{1}25.000', '{1}{2}', '\0\0\u0001\xba'.repeat(100)])('%p has no cues', (text) => {
    expect(read(text)).toEqual([])
  })
})

describe('SAMI', () => {
  const HEAD = `<SAMI><HEAD><STYLE TYPE="text/css"><!--
    P { font-family: Arial; }
    .KRCC { Name: Korean; lang: ko-KR; SAMIType: CC; }
    .ENCC { Name: English; lang: en-US; SAMIType: CC; } --></STYLE></HEAD><BODY>`
  const read = (bytes: string | Uint8Array, language: string | null = null): string[] =>
    cues(subtitlesAsVtt(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes, { format: 'smi', language }))

  test('a text stays until the next one, or an empty one', () => {
    const body =
      '<SYNC Start=1000><P Class=KRCC>one<br>\n  <font color="red">two</font> &amp; 3\n<sync start="2000"><p class=KRCC>four<SYNC Start=3000><P Class=KRCC>&nbsp;\n<SYNC Start=4000><P Class=KRCC><i>last</i></BODY></SAMI>'
    expect(read(HEAD + body)).toEqual([
      '00:00:01.000 --> 00:00:02.000\none\ntwo &amp; 3',
      '00:00:02.000 --> 00:00:03.000\nfour',
      '00:00:04.000 --> 00:00:09.000\n<i>last</i>',
    ])
  })
  const two = `${HEAD}<SYNC Start=1000><P Class=KRCC>\uc548\ub155<P Class=ENCC>hello<SYNC Start=2000><P Class=ENCC>&nbsp;<P Class=KRCC>&nbsp;`
  test('of several languages that of the name is read, else the first one', () => {
    expect(read(two, 'en')).toEqual(['00:00:01.000 --> 00:00:02.000\nhello'])
    for (const language of ['ko', 'fr', null]) expect(read(two, language)).toEqual(['00:00:01.000 --> 00:00:02.000\n\uc548\ub155'])
  })
  test('the language that the file tells says what it is written in', () => {
    const [head = '', rest = ''] = two.split('\uc548\ub155')
    expect(read(Buffer.concat([Buffer.from(head), Buffer.from([0xbe, 0xc8, 0xb3, 0xe7]), Buffer.from(rest)]))).toEqual([
      '00:00:01.000 --> 00:00:02.000\n\uc548\ub155',
    ])
  })
  test('a paragraph without a class is of every language', () => {
    expect(read('<SYNC Start=1000><P Class=KRCC>one<SYNC Start=2000><P>&nbsp;<SYNC Start=3000><P>two<SYNC Start=4000><P>')).toEqual([
      '00:00:01.000 --> 00:00:02.000\none',
      '00:00:03.000 --> 00:00:04.000\ntwo',
    ])
  })
  test('paragraphs may be missing, and what is no number is no time', () => {
    expect(read('<SYNC Start=1000>one<SYNC Start=x><P>no<SYNC Start=2000>')).toEqual(['00:00:01.000 --> 00:00:02.000\none'])
    expect(read('hello')).toEqual([])
  })
  test('a hostile file is read in the time of its length', () => {
    const startedAt = processorMs()
    for (const part of ['<sync', '<p', '<sync start=1', '<sync start=1><p class=', '.a{lang', '<!--', '&nbsp; ', '<sync start '])
      read(part.repeat(100_000))
    expect(processorMs() - startedAt).toBeLessThan(5000)
  })
})
