/**
 * The closed list of what can go wrong for a caller. Services throw `AppError` with one of these codes and know nothing
 * of HTTP; `http/problem.ts` turns the code into a status and a problem body (RFC 9457).
 */

export const ERRORS = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  path_not_found: { status: 400, title: 'There is no such folder, or it cannot be read' },
  path_not_a_directory: { status: 400, title: 'That path is not a folder' },
  path_not_allowed: { status: 400, title: 'That folder lies outside the allowed media roots' },
  path_overlaps_library: { status: 400, title: 'That folder overlaps the folder of another library' },
  not_a_file: { status: 400, title: 'That is a folder, not a file' },
  delete_not_supported: { status: 400, title: 'Items of this type cannot be deleted' },
  nfo_not_supported: { status: 400, title: 'Items of this type have no NFO metadata' },
  not_signed_in: { status: 401, title: 'Sign in first' },
  invalid_credentials: { status: 401, title: 'The name or the password is wrong' },
  forbidden: { status: 403, title: 'You may not do this' },
  foreign_origin: { status: 403, title: 'The request came from another site' },
  setup_not_local: { status: 403, title: 'The first administrator can be created from the local network only' },
  not_found: { status: 404, title: 'It is not there any more, or you may not see it' },
  no_thumbnail: { status: 404, title: 'This item has no thumbnail' },
  nfo_not_found: { status: 404, title: 'There is no NFO file' },
  conflict: { status: 409, title: 'That conflicts with the present state' },
  already_set_up: { status: 409, title: 'An administrator exists already' },
  duplicate_name: { status: 409, title: 'That name is taken' },
  last_admin: { status: 409, title: 'The last administrator cannot be removed' },
  unsafe_delete: { status: 409, title: 'Deleting this folder would not be safe' },
  ai_disabled: { status: 409, title: 'AI enrichment is switched off' },
  precondition_failed: { status: 412, title: 'It is not the version that was asked for' },
  too_large: { status: 413, title: 'That is too large' },
  unsupported_media_type: { status: 415, title: 'That media type is not supported' },
  range_not_satisfiable: { status: 416, title: 'The range lies outside the file' },
  library_type_fixed: { status: 422, title: 'The type of a library cannot change' },
  username_fixed: { status: 422, title: 'The name of a user cannot change' },
  nfo_invalid: { status: 422, title: 'The NFO file cannot be read' },
  pages_unreadable: { status: 422, title: 'The pages cannot be read' },
  nothing_to_translate: { status: 422, title: 'There is no text to translate' },
  no_image: { status: 422, title: 'This item has no picture' },
  unknown_ocr_language: { status: 422, title: 'That OCR language is not installed' },
  too_many_tags: { status: 422, title: 'That would be too many tags' },
  rate_limited: { status: 429, title: 'Too many attempts, wait a moment' },
  internal_error: { status: 500, title: 'Something went wrong on the server' },
  unavailable: { status: 503, title: 'The service cannot do this now' },
  insufficient_storage: { status: 507, title: 'The disk is full' },
} as const satisfies Record<string, { status: number; title: string }>

export type ErrorCode = keyof typeof ERRORS

export interface FieldError {
  path: string
  message: string
}

export class AppError extends Error {
  readonly code: ErrorCode
  readonly errors: FieldError[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, detail?: string, more: { errors?: FieldError[]; retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(detail ?? ERRORS[code].title, { cause: more.cause })
    this.name = 'AppError'
    this.code = code
    this.errors = more.errors
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

/** For `catch`: undefined in place of an `AppError`. Everything else is thrown again. */
export const ignoreAppError = (error: unknown): undefined => {
  if (!(error instanceof AppError)) throw error
}
