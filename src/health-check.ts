/** The image's health check: ends with 0 where the server of the same environment answers, and can read its database. */

import { cleanBasePath } from './domain/base-path.ts'
import { DEFAULT_HOST, DEFAULT_PORT, isEverywhere, serverAddress } from './domain/server-address.ts'

// Compose files pass variables that are not set on as empty ones.
const host = process.env.HOST || DEFAULT_HOST
const address = serverAddress({
  // Not every image knows localhost.
  host: isEverywhere(host) ? '127.0.0.1' : host,
  port: Number(process.env.PORT || DEFAULT_PORT),
  basePath: cleanBasePath(process.env.BASE_PATH ?? ''),
})
const { ok } = await fetch(`${address}api/health`)
process.exit(ok ? 0 : 1)
