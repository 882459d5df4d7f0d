import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { isRemoteDevice, remoteDevicesIn } from '../../src/media/remote-disk.ts'

const devicesOf = (type: string, device = '0:57'): string[] => [
  ...remoteDevicesIn(
    `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n623 22 ${device} / /media/a\\040-\\040b rw,nosuid - ${type} there:/ rw\n`,
  ),
]

test.each(['ext4', 'btrfs', 'xfs', 'zfs', 'overlay', 'tmpfs', 'fuseblk', 'virtiofs', 'fuse.mergerfs', 'fuse.shfs'])('%s is here', (type) =>
  expect(devicesOf(type)).toEqual([]),
)

test.each(['nfs', 'nfs4', 'cifs', 'smb3', 'ceph', '9p', 'fuse', 'fuse.sshfs', 'fuse.rclone', 'fuse.mergerfs-like'])(
  '%s is elsewhere',
  (type) => expect(devicesOf(type)).toEqual(['57']),
)

test('a device has the number that the system has for it', () => {
  // As stat(1) says it: major 0, minor 300, and major 259, minor 70000.
  expect(devicesOf('nfs', '0:300')).toEqual(['1048620'])
  expect(devicesOf('nfs', '259:70000')).toEqual([String(((70000n & ~0xffn) << 12n) | (259n << 8n) | (70000n & 0xffn))])
  expect(isRemoteDevice(String(statSync(import.meta.dir).dev))).toBe(false)
})
