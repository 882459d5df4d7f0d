/** What large files take, each in a process of its own. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { subtitlesAsVtt } from '../../src/media/subtitles.ts'

setDefaultTimeout(60_000)

const SOURCE = join(import.meta.dir, '../../src/media/subtitles.ts')
/** The program alone takes 50. Read as a whole, each of these files takes more than 200. */
const MOST_MIB = 170
const FILE_BYTES = 4 * 1024 * 1024

test.each([
  ['sub', '', '{1}{2}a|b\n'],
  ['sub', '{1}{2}', '|'],
  ['sub', '', '00:00:00.00,00:00:01.00\na\n\n'],
  ['smi', '<sync start=1>', '<p>'],
  ['srt', '', '0:0:1-->0:0:2\na\n'],
  ['ass', '[Events]\nDialogue: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,', '{\\b1}x{\\b0}'],
  ['ass', '[Events]\nFormat:start,end,text\n', 'Dialogue:0:0:0,0:0:1,a\n'],
])('a .%s file of %p and millions of %p', (format, head, part) => {
  const program = `
    import { subtitlesAsVtt } from '${SOURCE}'
    const bytes = Buffer.from(${JSON.stringify(head)} + ${JSON.stringify(part)}.repeat(${Math.floor(FILE_BYTES / part.length)}))
    subtitlesAsVtt(bytes, { format: '${format}', language: null })
    console.log(/VmHWM:\\s+(\\d+) kB/.exec(await Bun.file('/proc/self/status').text())[1])`
  const { stdout, stderr } = Bun.spawnSync([process.execPath, '-e', program])
  expect(stderr.toString()).toBe('')
  expect(Number(stdout.toString()) / 1024).toBeWithin(1, MOST_MIB)
})

test('of more cues than anybody could be shown, the first are', () => {
  const lines = Array.from({ length: 120_000 }, (_, place) => `{${place * 2}}{${place * 2 + 1}}${place}`)
  const vtt = subtitlesAsVtt(Buffer.from(lines.join('\n')), { format: 'sub', language: null, frameRate: 25 })
  expect(vtt.split('\n\n')).toHaveLength(50_001)
  expect(vtt).toEndWith('\n49999\n')
})
