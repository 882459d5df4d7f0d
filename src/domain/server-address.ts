/** Where people find the server: the address that it tells when it has started. */

export const DEFAULT_HOST = '0.0.0.0'
export const DEFAULT_PORT = 3000

/** What listens everywhere is also here. */
const EVERYWHERE = new Set(['0.0.0.0', '::', '[::]'])

export const isEverywhere = (host: string): boolean => EVERYWHERE.has(host)

/** A zone, as in `fe80::1%eth0`, has no place in the addresses of browsers. */
const hostOf = (host: string): string => {
  if (isEverywhere(host)) return 'localhost'
  const isBareIpv6 = host.includes(':') && !host.startsWith('[')
  return isBareIpv6 ? `[${host.split('%', 1)[0]}]` : host
}

export const serverAddress = ({ host, port, basePath }: { host: string; port: number | undefined; basePath: string }): string =>
  `http://${hostOf(host)}:${port}${basePath}/`
