import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { deflateRawSync } from 'node:zlib'
import { coverIndex, openLightPages, openPages } from '../../src/media/archive-pages.ts'
import { DecodeError } from '../../src/media/decode-error.ts'
import { MediaError } from '../../src/media/inside.ts'
import { processorMs } from '../support/processor-time.ts'
import { runProgram } from '../support/program.ts'
import { rar5 } from '../support/rar-file.ts'
import { makeZip } from '../support/real-media.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

let folder: TemporaryFolder
beforeAll(async () => {
  folder = await temporaryFolder('pages')
})
afterAll(() => folder.remove())

const pathOf = (name: string): string => join(folder.path, name)

const namesOf = async (path: string): Promise<readonly string[]> => {
  const pages = await openPages(folder.path, path)
  await pages.close()
  return pages.names
}

const codeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'read',
    (error: unknown) => (error instanceof DecodeError || error instanceof MediaError ? error.code : String(error)),
  )

const readFirst = async (path: string): Promise<Uint8Array> => {
  const pages = await openPages(folder.path, path)
  try {
    return await pages.read(0)
  } finally {
    await pages.close()
  }
}

interface RawEntry {
  name: string
  data: Uint8Array
  method?: number
  flags?: number
  /** What the headers claim. */
  size?: number
  compressedSize?: number
  /** Bytes between the local header and the data. */
  extra?: number
}

/** A zip written byte by byte (APPNOTE.TXT, 4.3), so that it can lie. */
const rawZip = (entries: readonly RawEntry[], claimedEntries = entries.length): Buffer => {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, data, method = 0, flags = 0, size = data.length, compressedSize = data.length, extra = 0 } of entries) {
    const nameBytes = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt32LE(compressedSize, 14)
    common.writeUInt32LE(size, 18)
    common.writeUInt16LE(nameBytes.length, 22)
    common.writeUInt16LE(extra, 24)
    const central = Buffer.alloc(46)
    central.write('PK\x01\x02', 'latin1')
    common.copy(central, 6, 0, 24)
    central.writeUInt32LE(offset, 42)
    directory.push(central, nameBytes)
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, nameBytes, Buffer.alloc(extra), Buffer.from(data))
    offset += 30 + nameBytes.length + extra + data.length
  }
  const directoryBytes = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(claimedEntries, 8)
  end.writeUInt16LE(claimedEntries, 10)
  end.writeUInt32LE(directoryBytes.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, directoryBytes, end])
}

describe('a hostile or unreadable archive is refused within 200 ms', () => {
  const page = Buffer.from('page')
  const megabyte = deflateRawSync(new Uint8Array(1024 * 1024))
  const archives: [string, () => Buffer, string][] = [
    ['leads out of the folder', () => rawZip([{ name: '../../evil.jpg', data: page }]), 'broken'],
    ['has an absolute name', () => rawZip([{ name: '/etc/evil.jpg', data: page }]), 'broken'],
    ['has a drive in its name', () => rawZip([{ name: 'C:/evil.jpg', data: page }]), 'broken'],
    ['claims more entries than it has', () => rawZip([{ name: 'a.jpg', data: page }], 9), 'broken'],
    ['claims 65,000 entries', () => rawZip([{ name: 'a.jpg', data: page }], 65_000), 'too_large'],
    ['claims a page of 65 MiB', () => rawZip([{ name: 'a.jpg', data: megabyte, method: 8, size: 65 * 1024 * 1024 }]), 'too_large'],
    ['has a page that is larger than it says', () => rawZip([{ name: 'a.jpg', data: megabyte, method: 8, size: 1000 }]), 'broken'],
    [
      'has a page that is smaller than it says',
      () => rawZip([{ name: 'a.jpg', data: megabyte, method: 8, size: 2 * 1024 * 1024 }]),
      'broken',
    ],
    ['has a page beyond its end', () => rawZip([{ name: 'a.jpg', data: page, compressedSize: 100_000, size: 100_000 }]), 'broken'],
    ['is encrypted', () => rawZip([{ name: 'a.jpg', data: Buffer.alloc(16), flags: 1, size: 4 }]), 'unsupported'],
    ['is compressed in an unknown way', () => rawZip([{ name: 'a.jpg', data: page, method: 99 }]), 'broken'],
    ['says that it is a rar', () => Buffer.from('Rar!\x1a\x07\x01\x00 and more', 'latin1'), 'broken'],
    ['is a 7z', () => Buffer.from('7z\xbc\xaf\x27\x1c and more', 'latin1'), 'unsupported'],
    ['is a text', () => Buffer.from('hello'), 'unsupported'],
    ['is empty', () => Buffer.alloc(0), 'broken'],
    ['is cut off in its last record', () => rawZip([]).subarray(0, 16), 'broken'],
    ['is cut off', () => rawZip([{ name: 'a.jpg', data: Buffer.alloc(5000) }]).subarray(0, 3000), 'broken'],
  ]
  test.each(archives)('one that %s', async (what, write, code) => {
    writeFileSync(pathOf(`${what}.cbz`), write())
    const startedAt = processorMs()
    expect(await codeOf(readFirst(`${what}.cbz`))).toBe(code)
    expect(processorMs() - startedAt).toBeLessThan(200)
  })

  test('one with 20,001 real entries', async () => {
    const entries = Array.from({ length: 20_001 }, (_, number) => ({ name: `${number}.jpg`, data: page }))
    writeFileSync(pathOf('many.cbz'), rawZip(entries))
    expect(await codeOf(openPages(folder.path, 'many.cbz'))).toBe('too_large')
    writeFileSync(pathOf('enough.cbz'), rawZip(entries.slice(1)))
    expect(await namesOf('enough.cbz')).toHaveLength(20_000)
  })

  test('one with names of 60,000 bytes, and one whose directory has 18 MB of them', async () => {
    const names = Array.from({ length: 300 }, (_, number) => `${number}${'\u0669'.repeat(30_000)}.jpg`)
    writeFileSync(pathOf('names.cbz'), rawZip(names.map((name) => ({ name, data: page }))))
    writeFileSync(pathOf('long.cbz'), rawZip([...names.slice(0, 60), '1.jpg'].map((name) => ({ name, data: page }))))
    const startedAt = processorMs()
    expect(await codeOf(openPages(folder.path, 'names.cbz'))).toBe('too_large')
    for (const name of ['names.cbz', 'long.cbz']) expect(await codeOf(openLightPages(folder.path, name))).toBe('too_large')
    expect(await namesOf('long.cbz')).toEqual(['1.jpg'])
    expect(processorMs() - startedAt).toBeLessThan(1000)
  })

  test('none of them keeps a descriptor', async () => {
    const before = readdirSync('/proc/self/fd').length
    for (let round = 0; round < 20; round += 1) for (const [what] of archives) await codeOf(readFirst(`${what}.cbz`))
    expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before)
  })
})

test('a link among the pages is no page', async () => {
  await makeZip(pathOf('linked.cbz'), { '001.jpg': { link: '/etc/passwd' }, '002.jpg': 'two' })
  expect(await namesOf('linked.cbz')).toEqual(['002.jpg'])
})

test('junk is no page, and pages come in natural order, folder by folder', async () => {
  const entries = [
    'ch10/1.jpg',
    'ch2/10.jpg',
    'ch2/9.png',
    'ch2-extra/1.webp',
    '__MACOSX/ch2/._9.png',
    '.hidden/1.jpg',
    'Thumbs.db',
    'ComicInfo.xml',
    'note.txt',
  ]
  await makeZip(pathOf('order.cbz'), Object.fromEntries(entries.map((name) => [name, name])))
  expect(await namesOf('order.cbz')).toEqual(['ch2/9.png', 'ch2/10.jpg', 'ch2-extra/1.webp', 'ch10/1.jpg'])
})

test('names that begin with the folder itself, as tar and zip write them of one, are no hidden ones', async () => {
  await makeZip(pathOf('here.cbz'), { './2.jpg': 'two', './1.jpg': 'one', './.hidden/3.jpg': 'three', './ComicInfo.xml': '<ComicInfo/>' })
  const pages = await openPages(folder.path, 'here.cbz')
  expect([pages.names, Buffer.from((await pages.readComicInfo()) ?? []).toString()]).toEqual([['./1.jpg', './2.jpg'], '<ComicInfo/>'])
  await pages.close()
  writeFileSync(pathOf('here.cbr'), rar5(['./1.jpg', '1/./2.jpg'].map((name) => ({ name, data: Buffer.from(name) }))))
  expect(await namesOf('here.cbr')).toEqual(['./1.jpg', '1/./2.jpg'])
})

test('a page between two others comes behind the one that it follows, whatever the ending (Komga #914, yomikiru #72; Kavita)', async () => {
  const names = ['10.jpg', '10/001.jpg', '012.png', '012 (2).jpg', '012.5.jpg', '012a.jpg', '13.jpg']
  await makeZip(pathOf('between.cbz'), Object.fromEntries(names.toReversed().map((name) => [name, name])))
  expect(await namesOf('between.cbz')).toEqual(names)
})

test('the cover is the page that is called so, else the first', () => {
  const covers: [string[], number][] = [
    [[], -1],
    [['001.jpg', '002.jpg'], 0],
    [['001.jpg', 'Cover.jpg'], 1],
    [['001.jpg', 'front.png'], 1],
    [['001.jpg', 'x/folder.webp'], 1],
    [['001.jpg', 'Berserk v01 - cover.jpg'], 1],
    [['001.jpg', 'back cover.jpg', 'back_cover.jpg', 'undercover.jpg', 'covers.jpg'], 0],
    [['cover/001.jpg', '002.jpg'], 0],
  ]
  for (const [names, index] of covers) expect([names, coverIndex(names)]).toEqual([names, index])
})

test('stored and compressed pages are read whole, also from an archive that another program wrote', async () => {
  const pages = { '1.jpg': crypto.getRandomValues(new Uint8Array(60_000)), '2.jpg': new Uint8Array(300_000).fill(7) }
  mkdirSync(pathOf('made'))
  for (const [name, bytes] of Object.entries(pages)) writeFileSync(pathOf(`made/${name}`), bytes)
  await runProgram(['zip', '-q', '-9', '-r', pathOf('made.cbz'), pathOf('made')])
  await makeZip(pathOf('stored.zip'), pages)
  for (const archive of ['made.cbz', 'stored.zip']) {
    const opened = await openPages(folder.path, archive)
    expect(Buffer.from(await opened.read(0)).equals(pages['1.jpg'])).toBe(true)
    expect(Buffer.from(await opened.read(1)).equals(pages['2.jpg'])).toBe(true)
    expect(await codeOf(opened.read(2))).toBe('not_found')
    await opened.close()
  }
})

test('a page is found behind whatever its own header has in front of it', async () => {
  for (const extra of [0, 28, 64, 65, 5000]) {
    const data = Buffer.from(`behind ${extra}`)
    writeFileSync(
      pathOf('extra.cbz'),
      rawZip([
        { name: '1.jpg', data, extra },
        { name: '2.jpg', data },
      ]),
    )
    expect(Buffer.from(await readFirst('extra.cbz')).toString()).toBe(`behind ${extra}`)
  }
})

test('an archive that is read again is the one that lies there now', async () => {
  const read = async (name: string): Promise<string[]> => {
    const pages = await openLightPages(folder.path, name)
    if (!pages) throw new Error('It is a light one')
    try {
      return await Promise.all(pages.names.map(async (page, index) => `${page} ${Buffer.from(await pages.read(index)).toString()}`))
    } finally {
      await pages.close()
    }
  }
  // More than are kept.
  const volumes = Array.from({ length: 20 }, (_, index) => `again ${index}.cbz`)
  for (const name of volumes) await makeZip(pathOf(name), { '1.jpg': name, '2.jpg': 'two' })
  for (const name of [...volumes, ...volumes.slice(18), ...volumes]) expect(await read(name)).toEqual([`1.jpg ${name}`, '2.jpg two'])
  await makeZip(pathOf('again 0.cbz'), { '1.jpg': 'another', '3.jpg': 'last' })
  expect(await read('again 0.cbz')).toEqual(['1.jpg another', '3.jpg last'])
  writeFileSync(pathOf('again 1.cbz'), 'no archive any more')
  expect(await codeOf(read('again 1.cbz'))).toContain('It is a light one')
})

test('an archive with something behind its end is read, as other programs read it', async () => {
  const archive = rawZip([{ name: '001.jpg', data: Buffer.from('one') }])
  const behind = { 'a block filled up': Buffer.alloc(4096), 'a byte': Buffer.from('\n'), text: Buffer.from('a signature'.repeat(100)) }
  for (const [what, bytes] of Object.entries(behind)) {
    writeFileSync(pathOf(`${what}.cbz`), Buffer.concat([archive, bytes]))
    expect([what, Buffer.from(await readFirst(`${what}.cbz`)).toString()]).toEqual([what, 'one'])
  }
  const comment = Buffer.concat([archive.subarray(0, -2), Buffer.from('\x05\x00hello', 'latin1')])
  writeFileSync(pathOf('comment.cbz'), Buffer.concat([comment, Buffer.alloc(10)]))
  expect(Buffer.from(await readFirst('comment.cbz')).toString()).toBe('one')
})

test('a zip that is called .cbr is read as what it is', async () => {
  await makeZip(pathOf('really-a-zip.cbr'), { '1.jpg': 'one' })
  expect(Buffer.from(await readFirst('really-a-zip.cbr')).toString()).toBe('one')
})

test('a folder of thousands of pictures is put in order by a thread', async () => {
  mkdirSync(pathOf('many'))
  for (let number = 0; number < 2001; number += 1) writeFileSync(pathOf(`many/${number}.jpg`), '')
  expect(await codeOf(openLightPages(folder.path, 'many'))).toBe('too_large')
  expect(await namesOf('many')).toHaveLength(2001)
})

test('a folder of pictures gives its own pictures, and none through a link that leads out', async () => {
  mkdirSync(pathOf('library/volume/next'), { recursive: true })
  for (const name of ['10.jpg', '9.jpg', 'note.txt', '.DS_Store', 'next/1.jpg']) writeFileSync(pathOf(`library/volume/${name}`), name)
  writeFileSync(pathOf('canary.jpg'), 'canary')
  symlinkSync(pathOf('canary.jpg'), pathOf('library/volume/11.jpg'))
  writeFileSync(pathOf('library/volume/12.jpg'), '')
  truncateSync(pathOf('library/volume/12.jpg'), 65 * 1024 * 1024)
  const pages = await openPages(pathOf('library'), 'volume')
  expect(pages.names).toEqual(['9.jpg', '10.jpg', '11.jpg', '12.jpg'])
  expect(Buffer.from(await pages.read(0)).toString()).toBe('9.jpg')
  expect(await codeOf(pages.read(2))).toBe('outside')
  expect(await codeOf(pages.read(3))).toBe('too_large')
  await pages.close()
  expect(await codeOf(openPages(pathOf('library'), 'nothing'))).toBe('not_found')
  expect(await codeOf(openPages(pathOf('library'), '../library/volume'))).toBe('outside')
})

test('a folder that is renamed or deleted while it is read gives no pages of another one', async () => {
  for (const name of ['red', 'blue']) {
    mkdirSync(pathOf(name))
    writeFileSync(pathOf(`${name}/1.jpg`), name)
  }
  const pages = await openPages(folder.path, 'red')
  renameSync(pathOf('red'), pathOf('moved'))
  renameSync(pathOf('blue'), pathOf('red'))
  expect(Buffer.from(await pages.read(0)).toString()).toBe('red')
  rmSync(pathOf('moved'), { recursive: true })
  expect(await codeOf(pages.read(0))).toBe('not_found')
  await pages.close()
})

test('a folder that is deleted at the moment when it is listed is not there', async () => {
  const outcomes = new Set<string>()
  for (let number = 0; number < 300; number++) {
    mkdirSync(pathOf('gone'))
    const opening = codeOf(openPages(folder.path, 'gone').then((pages) => pages.close()))
    for (let turn = number % 30; turn > 0; turn--) await nextTurn()
    rmdirSync(pathOf('gone'))
    outcomes.add(await opening)
  }
  expect([...outcomes].filter((outcome) => outcome !== 'read' && outcome !== 'not_found')).toEqual([])
})
