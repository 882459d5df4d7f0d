/** RFC 6750, 2.1. Other schemes are for a proxy in front of us. */
const BEARER = /^bearer\s+(.*)$/i

/** The token that a script sends; undefined where the request carries none. */
export const bearerToken = (headers: Headers): string | undefined => BEARER.exec(headers.get('authorization')?.trim() ?? '')?.[1]
