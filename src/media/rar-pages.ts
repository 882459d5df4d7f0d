/**
 * Entries of RAR archives (versions 4 and 5), by the unrar library as WebAssembly (node-unrar-js). It asks for bytes by
 * callbacks: they are read from the opened file, and what it unpacks stays in memory, within a limit; nothing is ever
 * written. The library keeps one archive at a time and is synchronous: for worker threads only.
 */

import { readSync } from 'node:fs'
import { Extractor, type FileHeader, UnrarError } from 'node-unrar-js/esm/js/Extractor.js'
import { getUnrar } from 'node-unrar-js/esm/js/unrar.singleton.js'
import { DecodeError } from './decode-error.ts'
import type { OpenedFile } from './inside.ts'
import { largestDictionary } from './rar5-dictionary.ts'

/** What the library is told the archive's name is; it asks for no other file, since volumes are refused. */
const ARCHIVE = 'archive.rar'
const ARCHIVE_FD = 1
const OUTPUT_FD = 2
/** To read one entry of a solid archive, all before it are unpacked. */
const MAX_SOLID_BYTES = 1024 * 1024 * 1024
/** What WinRAR takes by itself; it takes less for files that are smaller. */
const MAX_DICTIONARY_BYTES = 32 * 1024 * 1024

/** What of the WebAssembly module is used here; the package types it as anything. */
interface Unrar {
  HEAPU8: Uint8Array
  extractor: Extractor
}

/** The file is named: the module would look for it beside whatever has loaded it. */
const loadUnrar = async (): Promise<Unrar> => {
  const wasmBinary = await Bun.file(Bun.resolveSync('node-unrar-js/esm/js/unrar.wasm', import.meta.dir)).arrayBuffer()
  return getUnrar({ wasmBinary })
}

class MemoryExtractor extends Extractor {
  protected _filePath = ARCHIVE
  readonly #file: OpenedFile
  readonly #library: Unrar
  readonly #limit: number
  #position = 0
  #chunks: Uint8Array[] = []
  #written = 0

  constructor(library: Unrar, file: OpenedFile, limit: number) {
    super(library)
    this.#library = library
    this.#file = file
    this.#limit = limit
    library.extractor = this
  }

  output(): Uint8Array {
    return Buffer.concat(this.#chunks)
  }

  protected open(name: string): number {
    if (name !== ARCHIVE) return 0
    this.#position = 0
    return ARCHIVE_FD
  }
  protected create(): number {
    this.#chunks = []
    this.#written = 0
    return OUTPUT_FD
  }
  protected closeFile(): void {
    this.#position = 0
  }
  protected read(_fd: number, address: number, size: number): number {
    const bytes = readSync(this.#file.handle.fd, this.#library.HEAPU8, address, size, this.#position)
    this.#position += bytes
    return bytes
  }
  protected write(_fd: number, address: number, size: number): boolean {
    this.#written += size
    if (this.#written > this.#limit) return false
    this.#chunks.push(this.#library.HEAPU8.slice(address, address + size))
    return true
  }
  protected tell(fd: number): number {
    return fd === OUTPUT_FD ? this.#written : this.#position
  }
  protected seek(fd: number, offset: number, method: 'CUR' | 'SET' | 'END'): boolean {
    if (fd === OUTPUT_FD) return false
    const base = method === 'SET' ? 0 : method === 'END' ? this.#file.size : this.#position
    if (base + offset < 0 || base + offset > this.#file.size) return false
    this.#position = base + offset
    return true
  }
}

const toDecodeError = (error: unknown): unknown => {
  if (!(error instanceof UnrarError)) return error
  if (error.reason === 'ERAR_MISSING_PASSWORD' || error.reason === 'ERAR_BAD_PASSWORD')
    return new DecodeError('unsupported', 'The archive is encrypted.', error)
  if (error.reason === 'ERAR_NO_MEMORY' || error.reason === 'ERAR_EWRITE')
    return new DecodeError('too_large', 'The archive unpacks to more than it may.', error)
  return new DecodeError('broken', 'The archive is damaged.', error)
}

const attempt = <T>(work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw toDecodeError(error)
  }
}

interface RarEntry {
  /** "/" separated. */
  name: string
  /** Bytes, as the archive says. */
  size: number
  isEncrypted: boolean
}

/** Lists files only. Throws `DecodeError` for what is damaged, encrypted, one of several volumes, or too much. */
export const listRar = async (file: OpenedFile, maxEntries: number): Promise<RarEntry[]> => {
  if (largestDictionary({ fd: file.handle.fd, size: file.size }, maxEntries) > MAX_DICTIONARY_BYTES)
    throw new DecodeError('too_large', 'The archive takes too much memory to unpack.')
  const extractor = new MemoryExtractor(await loadUnrar(), file, 0)
  return attempt(() => {
    const { arcHeader, fileHeaders } = extractor.getFileList()
    if (arcHeader.flags.volume) throw new DecodeError('unsupported', 'The archive is one of several volumes.')
    const headers: FileHeader[] = []
    for (const header of fileHeaders) {
      if (headers.length >= maxEntries) throw new DecodeError('too_large', `More than ${maxEntries} entries are too many.`)
      headers.push(header)
    }
    // Of one that is cut off, what is whole can be read; the library says nothing of one that is nothing but a beginning.
    if (headers.length === 0) throw new DecodeError('broken', 'The archive holds nothing.')
    const unpacked = headers.reduce((sum, { unpSize }) => sum + unpSize, 0)
    if (arcHeader.flags.solid && unpacked > MAX_SOLID_BYTES) throw new DecodeError('too_large', 'The archive is solid, and too large.')
    return headers
      .filter(({ flags }) => !flags.directory)
      .map(({ name, unpSize, flags }) => ({ name: name.replaceAll('\\', '/'), size: unpSize, isEncrypted: flags.encrypted }))
  })
}

/** The bytes of one file. Throws `DecodeError`, also where they are more than `limit`. */
export const readRar = async (file: OpenedFile, { name, limit }: { name: string; limit: number }): Promise<Uint8Array> => {
  const extractor = new MemoryExtractor(await loadUnrar(), file, limit)
  return attempt(() => {
    const { files } = extractor.extract({ files: (header) => header.name.replaceAll('\\', '/') === name })
    for (const _ of files) return extractor.output()
    throw new DecodeError('broken', 'The archive is damaged.')
  })
}
