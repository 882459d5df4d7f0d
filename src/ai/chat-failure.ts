/** Why a model gave no answer: what the queue decides by. Plain data, so that it can cross threads. */

export type ChatFailure =
  /** Nobody answers there, or the address is one that requests never go to: every other job would fare the same. */
  | { kind: 'unreachable'; message: string }
  /** 429, 503, or another 5xx that says when to come back. */
  | { kind: 'rate_limited'; message: string; retryAfterSeconds: number | null; isServerError?: boolean }
  /** 5xx, or the connection broke. */
  | { kind: 'server_error'; message: string; retryAfterSeconds: number | null }
  /** Another 4xx, or a redirect: asking the same again would be refused again. */
  | { kind: 'refused'; message: string }
  | { kind: 'bad_answer'; message: string }
  | { kind: 'too_large'; message: string }
  | { kind: 'timeout'; message: string }

/** `message` is for people. It never holds the key, nor a word of what the endpoint answered. */
export class ChatError extends Error {
  override readonly name = 'ChatError'
  readonly failure: ChatFailure

  constructor(failure: ChatFailure, cause?: unknown) {
    super(failure.message, { cause })
    this.failure = failure
  }
}
