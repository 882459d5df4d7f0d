/** A thread that makes JPEGs of uploaded pictures. One at a time; whatever happens, it answers. */

import { createGate } from '../domain/gate.ts'
import { errorMessage } from '../domain/thrown-error.ts'
import { DecodeError } from '../media/decode-error.ts'
import { uploadedJpeg } from '../media/upload-image.ts'
import { type EncodeAnswer, type EncodeRequest, isRecord } from './protocol.ts'

declare const self: Worker

const isRequest = (message: unknown): message is EncodeRequest =>
  isRecord(message) && typeof message.id === 'number' && message.bytes instanceof Uint8Array

const answer = async ({ id, bytes }: EncodeRequest): Promise<EncodeAnswer> => {
  try {
    return { type: 'encoded', id, ok: true, jpeg: await uploadedJpeg(bytes) }
  } catch (error) {
    const code = error instanceof DecodeError ? error.code : 'broken'
    return { type: 'encoded', id, ok: false, code, message: errorMessage(error) }
  }
}

const inTurn = createGate(1)

self.onmessage = ({ data }: MessageEvent<unknown>): void => {
  void inTurn(async () => {
    if (isRequest(data)) self.postMessage(await answer(data))
  })
}
