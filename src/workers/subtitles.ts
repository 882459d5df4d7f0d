/** A thread that makes WebVTT of subtitles, one file at a time. */

import { subtitlesAsVtt } from '../media/subtitles.ts'
import { isRecord, type SubtitleAnswer, type SubtitleRequest } from './protocol.ts'

declare const self: Worker

const isRequest = (message: unknown): message is SubtitleRequest =>
  isRecord(message) && typeof message.id === 'number' && message.bytes instanceof Uint8Array && isRecord(message.source)

self.onmessage = ({ data }: MessageEvent<unknown>): void => {
  if (isRequest(data))
    self.postMessage({ type: 'vtt', id: data.id, text: subtitlesAsVtt(data.bytes, data.source) } satisfies SubtitleAnswer)
}
