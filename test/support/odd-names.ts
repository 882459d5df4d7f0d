import { mkdirSync, writeFileSync } from 'node:fs'

/**
 * Forty names that real folders hold and that programs stumble over (SECURITY.md, row "Odd names").
 *
 * - `indexed`: decodable, must be one item, served, and stable over two scans;
 * - `hidden`: decodable, but a dot file, which every scan leaves out;
 * - `undecodable`: bytes that are no UTF-8, which a scan counts as warnings.
 */
type OddFate = 'indexed' | 'hidden' | 'undecodable'

interface OddName {
  label: string
  fate: OddFate
  /** The name's bytes on disk, with the suffix; a file system takes 255 of them at most. */
  bytes: (suffix: string) => Buffer
}

const MAX_NAME_BYTES = 255

const text = (label: string, name: string, fate: OddFate = 'indexed'): OddName => ({
  label,
  fate,
  bytes: (suffix) => Buffer.from(name + suffix),
})

const raw = (label: string, ...bytes: number[]): OddName => ({
  label,
  fate: 'undecodable',
  bytes: (suffix) => Buffer.concat([Buffer.from('raw '), Buffer.from(bytes), Buffer.from(suffix)]),
})

/** `unit` as often as it fits, topped up with "x" to the longest name that there is. */
const longest = (label: string, unit: string): OddName => ({
  label,
  fate: 'indexed',
  bytes: (suffix) => {
    const room = MAX_NAME_BYTES - Buffer.byteLength(suffix)
    const repeated = unit.repeat(Math.floor(room / Buffer.byteLength(unit)))
    return Buffer.from(repeated + 'x'.repeat(room - Buffer.byteLength(repeated)) + suffix)
  },
})

export const ODD_NAMES: readonly OddName[] = [
  text('newline', 'line\nbreak'),
  text('carriage return', 'carriage\rreturn'),
  text('tab', 'tab\there'),
  text('escape sequence', '\u001b[31mred'),
  text('bell and delete', 'bell\u0007\u007f'),
  text('composed accent (NFC)', 'caf\u00e9'),
  text('combining accent (NFD)', 'cafe\u0301'),
  text('emoji', 'film \u{1F3AC}'),
  text('joined emoji', '\u{1F469}\u200d\u{1F469}\u200d\u{1F467}'),
  text('right-to-left override', 'photo\u202egpj.exe'),
  text('Arabic', '\u0635\u0648\u0631\u0629'),
  text('Japanese', '\u5199\u771f'),
  text('zero-width space', 'zero\u200bwidth'),
  text('line separator', 'line\u2028separator'),
  longest('255 bytes', 'a'),
  longest('255 bytes of three-byte letters', '\u6f22'),
  text('leading dash', '-rf'),
  text('leading double dash', '--help'),
  text('leading dot', '.hidden', 'hidden'),
  text('leading space', ' leading'),
  text('trailing space', 'trailing '),
  text('dots', '...and more...'),
  text('double quote', 'say "hi"'),
  text('single quote', "it's; DROP TABLE items;--"),
  text('command substitution', '$(reboot) `id`'),
  text('markup', '<img src=x onerror=alert(1)>'),
  text('hash', 'a#b'),
  text('per cent sign', '100%'),
  text('escaped slash', '..%2f..%2fetc'),
  text('question mark', 'what?a=1&b=2'),
  text('backslash', '..\\..\\windows'),
  text('device name', 'CON'),
  text('colon and star', 'C:*|'),
  text('upper case of a pair', 'PAIR'),
  text('lower case of a pair', 'pair'),
  text('prototype', '__proto__'),
  raw('Latin-1 letter', 0xe9),
  raw('lone surrogate', 0xed, 0xa0, 0x80),
  raw('cut short', 0xf0, 0x9f, 0x8e),
  raw('overlong slash', 0xc0, 0xaf),
]

export interface OddFile {
  label: string
  fate: OddFate
  /** The name as text; undefined where the bytes are no UTF-8. */
  name: string | undefined
}

/** What the forty names are with this suffix, for looking them up in an answer. */
export const oddFiles = (suffix: string): OddFile[] =>
  ODD_NAMES.map(({ label, fate, bytes }) => ({ label, fate, name: fate === 'undecodable' ? undefined : bytes(suffix).toString() }))

/** Forty files in `root` (made where it does not exist), each with `suffix` and a content of its own that starts with `content`. */
export const makeOddFiles = (root: string, suffix: string, content: string | Uint8Array = ''): OddFile[] => {
  mkdirSync(root, { recursive: true })
  for (const { label, bytes } of ODD_NAMES) {
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), bytes(suffix)]), Buffer.concat([Buffer.from(content), Buffer.from(label)]))
  }
  return oddFiles(suffix)
}

/** Forty folders in `root`, each holding one file of this name and content. */
export const makeOddFolders = (root: string, fileName: string, content: string | Uint8Array): OddFile[] => {
  for (const { bytes } of ODD_NAMES) {
    const path = Buffer.concat([Buffer.from(`${root}/`), bytes('')])
    mkdirSync(path, { recursive: true })
    writeFileSync(Buffer.concat([path, Buffer.from(`/${fileName}`)]), content)
  }
  return oddFiles('')
}
