/** The image's health check: ends with 0 where the server of the same environment answers, and can read its database. */

import { cleanBasePath } from './domain/base-path.ts'
import { isEverywhere, serverAddress } from './domain/server-address.ts'

// Compose files pass variables that are not set on as empty ones.
const host = process.env.HOST || '0.0.0.0'
const address = serverAddress({
  // Not every image knows localhost.
  host: isEverywhere(host) ? '127.0.0.1' : host,
  port: Number(process.env.PORT || 3000),
  basePath: cleanBasePath(process.env.BASE_PATH ?? ''),
})
const { ok } = await fetch(`${address}api/health`)
process.exit(ok ? 0 : 1)
