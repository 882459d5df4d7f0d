/**
 * Looks over the bytes of large JSON before they are parsed: what is nested deeply, or holds millions of values, takes
 * everybody's time and gigabytes for as long as it is parsed. What is no JSON at all is left to the parser, which finds out soon.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MiddlewareHandler } from 'hono'
import { AppError } from '../errors.ts'

/** A file of tags needs five. */
const MAX_DEPTH = 8
/** Of one object. */
const MAX_KEYS = 16
/** Bytes a turn, so that other requests get theirs. */
const SLICE_BYTES = 1024 * 1024

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

const unlike = (message: string): AppError =>
  new AppError('invalid_request', 'The file does not have the shape of a file of tags.', { errors: [{ path: '', message }] })

/** Takes one byte after the other that stands outside of texts. */
const createShape = (mostValues: number) => {
  const keys = new Uint32Array(MAX_DEPTH + 1)
  let depth = 0
  let values = 0
  return (byte: number | undefined): void => {
    if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1
      if (depth > MAX_DEPTH) throw unlike('is nested too deeply')
      keys[depth] = 0
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      // Where more is closed than was opened the parser stops.
      depth = Math.max(0, depth - 1)
    } else if (byte === COLON) {
      keys[depth] = (keys[depth] ?? 0) + 1
      if (Number(keys[depth]) > MAX_KEYS) throw unlike('has an object with too many keys')
    } else if (byte === COMMA) {
      values += 1
      if (values > mostValues) throw new AppError('too_many_tags')
    }
  }
}

/** Throws `invalid_request`, or `too_many_tags`. */
const assertSmallShape = async (bytes: Uint8Array, mostValues: number): Promise<void> => {
  const take = createShape(mostValues)
  let isText = false
  for (let at = 0, turnEnds = SLICE_BYTES; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) isText = !isText
    else if (!isText) take(byte)
    // What follows is a part of the text.
    else if (byte === BACKSLASH) at += 1
    if (at < turnEnds) continue
    turnEnds = at + SLICE_BYTES
    await nextTurn()
  }
}

/** Stands in front of whatever parses the body of a route that takes large ones. Values are counted by the commas between them. */
export const smallShape =
  (mostValues: number): MiddlewareHandler =>
  async (c, next) => {
    if (/json/i.test(c.req.header('content-type') ?? '')) await assertSmallShape(new Uint8Array(await c.req.arrayBuffer()), mostValues)
    return next()
  }
