/** Problem bodies (RFC 9457) for everything that goes wrong. */

import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { AppError, ERRORS, type ErrorCode, type FieldError } from '../errors.ts'
import type { AppEnv } from './app-env.ts'

const CODE_BY_STATUS: Record<number, ErrorCode> = {
  400: 'invalid_request',
  401: 'not_signed_in',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'too_large',
  415: 'unsupported_media_type',
}

/** What Bun says when it reads the body of a client that has gone. */
const BROKEN_OFF = 'The connection was closed.'

/** Anything thrown, as an `AppError`: what is unknown becomes `internal_error` and keeps its cause for the log. */
export const toAppError = (error: unknown): AppError => {
  if (error instanceof AppError) return error
  if (error instanceof HTTPException)
    return new AppError(CODE_BY_STATUS[error.status] ?? 'internal_error', error.message || undefined, { cause: error })
  if (error instanceof Error && error.message.includes('exceeded maxRequestBodySize')) return new AppError('too_large')
  if (error instanceof Error && error.message === BROKEN_OFF) return new AppError('invalid_request', 'The body of the request broke off.')
  return new AppError('internal_error', undefined, { cause: error })
}

/** Nobody reads more, and some tell what was sent, which may be megabytes. */
const MAX_FIELD_ERRORS = 100
const MAX_FIELD_CHARACTERS = 500

const shortened = (text: string): string => (text.length > MAX_FIELD_CHARACTERS ? `${text.slice(0, MAX_FIELD_CHARACTERS)}…` : text)

const shownErrors = (errors: readonly FieldError[]): FieldError[] =>
  errors.slice(0, MAX_FIELD_ERRORS).map(({ path, message }) => ({ path: shortened(path), message: shortened(message) }))

export const problemBody = (error: AppError) => {
  const { status, title } = ERRORS[error.code]
  return {
    type: 'about:blank',
    title,
    status,
    detail: error.message,
    code: error.code,
    ...(error.errors ? { errors: shownErrors(error.errors) } : {}),
  }
}

/** A fault of ours says which line of the log is its own (RFC 9457, 3.1.5): nothing else of it may leave the server. */
const instanceOf = ({ code }: AppError, requestId: string) => (code === 'internal_error' ? { instance: `urn:uuid:${requestId}` } : {})

export const problemResponse = (c: Context<AppEnv>, error: AppError): Response => {
  const body = { ...problemBody(error), ...instanceOf(error, c.var.requestId) }
  if (error.retryAfterSeconds !== undefined) c.header('Retry-After', String(Math.max(1, Math.ceil(error.retryAfterSeconds))))
  c.header('Content-Type', 'application/problem+json')
  c.header('Cache-Control', 'no-store')
  return c.body(JSON.stringify(body), body.status)
}
