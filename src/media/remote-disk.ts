/** Which file systems may stop to answer in the middle of a file: those of other machines, and those that are programs. */

import { readFileSync } from 'node:fs'

/** Of `/proc/self/mountinfo`; programs that only put local disks together are as good as those. */
const REMOTE_TYPE = /^(?:nfs4?|cifs|smb3|smbfs|ceph|9p|afs|fuse(?:\.(?!mergerfs$|shfs$).+)?)$/

/** The devices of remote file systems, as `stat` has them, by what proc_pid_mountinfo(5) describes. */
export const remoteDevicesIn = (mounts: string): Set<string> => {
  const devices = new Set<string>()
  for (const [, major = '', minor = '', type = ''] of mounts.matchAll(/^\d+ \d+ (\d+):(\d+) .* - (\S+) /gm)) {
    if (REMOTE_TYPE.test(type)) devices.add(deviceOf(BigInt(major), BigInt(minor)))
  }
  return devices
}

/** As makedev(3) puts it together. */
const deviceOf = (major: bigint, minor: bigint): string =>
  String(((major & ~0xfffn) << 32n) | ((major & 0xfffn) << 8n) | ((minor & ~0xffn) << 12n) | (minor & 0xffn))

const KNOWN_MS = 10_000

let known = { devices: new Set<string>(), until: 0 }

const listMounts = (): string => {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8')
  } catch {
    return ''
  }
}

/** `device`: decimal digits, as `stat` has it. Only Linux tells. */
export const isRemoteDevice = (device: string): boolean => {
  const now = performance.now()
  if (now >= known.until) known = { devices: remoteDevicesIn(listMounts()), until: now + KNOWN_MS }
  return known.devices.has(device)
}
