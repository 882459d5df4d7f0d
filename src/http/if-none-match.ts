/** Whether a caller has this version already (RFC 9110, 13.1.2). */

const opaque = (etag: string): string => etag.trim().replace(/^W\//, '')

/** `header` is the value of If-None-Match; the comparison is the weak one, as proxies weaken what they compress. */
export const listsEtag = (header: string | null | undefined, etag: string): boolean =>
  header?.trim() === '*' || (header?.split(',').some((listed) => opaque(listed) === opaque(etag)) ?? false)
