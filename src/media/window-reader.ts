/**
 * Reads for yauzl, which asks for some dozen bytes at a time: a window of the file is read at once, and serves the next ones.
 * Entries' data is read elsewhere (zip-entry.ts).
 */

import { RandomAccessReader } from 'yauzl'
import type { OpenedFile } from './inside.ts'

const WINDOW_BYTES = 128 * 1024

export class WindowReader extends RandomAccessReader {
  readonly #file: OpenedFile
  #window: Buffer = Buffer.alloc(0)
  #start = 0

  constructor(file: OpenedFile) {
    super()
    this.#file = file
  }

  // biome-ignore lint/complexity/useMaxParams: yauzl calls it so
  override read(buffer: Buffer, offset: number, length: number, position: number, done: (error: Error | null) => void): void {
    const finish = (): void => {
      this.#window.copy(buffer, offset, position - this.#start, position - this.#start + length)
      done(null)
    }
    // Not at once: each entry is asked for by the one before, and twenty thousand of them would be as many calls deep.
    if (this.#holds(position, length)) return queueMicrotask(finish)
    this.#fill(position, length).then(finish, (error: unknown) => done(error instanceof Error ? error : new Error(String(error))))
  }

  #holds(position: number, length: number): boolean {
    return position >= this.#start && position + length <= this.#start + this.#window.length
  }

  async #fill(position: number, length: number): Promise<void> {
    const { handle, size } = this.#file
    const window = Buffer.alloc(Math.max(length, Math.min(WINDOW_BYTES, size - position)))
    const { bytesRead } = await handle.read(window, 0, window.length, position)
    if (bytesRead < length) throw new Error('The archive ends too soon.')
    this.#window = window.subarray(0, bytesRead)
    this.#start = position
  }
}
