/**
 * Why no picture came out of a file. `unsupported`: no decoder of ours takes it; `broken`: the file is damaged or empty;
 * `too_large`: over the limits that keep a hostile file from eating the machine; `timeout`: it took too long.
 */
type DecodeErrorCode = 'unsupported' | 'broken' | 'too_large' | 'timeout'

export class DecodeError extends Error {
  readonly code: DecodeErrorCode

  constructor(code: DecodeErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'DecodeError'
    this.code = code
  }
}

/** What only ffmpeg can decode, where there is none. */
export class NoFfmpegError extends DecodeError {
  constructor(message: string) {
    super('unsupported', message)
    this.name = 'NoFfmpegError'
  }
}
