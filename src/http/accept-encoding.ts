import { parseAccept } from 'hono/utils/accept'

/** Whether gzip may be sent (RFC 9110, 12.5.3): it is named, or everything is, and not with a weight of 0. */
export const acceptsGzip = (header: string | null | undefined): boolean => {
  if (!header) return false
  const codings = parseAccept(header)
  const named = codings.find(({ type }) => /^(?:x-)?gzip$/i.test(type)) ?? codings.find(({ type }) => type === '*')
  return named !== undefined && named.q > 0
}
