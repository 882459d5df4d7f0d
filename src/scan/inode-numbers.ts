/**
 * File systems that store no numbers of inodes and make some up as they are looked at, others after each start and at times in
 * between (magic numbers of statfs(2)).
 */

/** FAT and exFAT, as USB disks have them: iunique in Linux' fat_build_inode and exfat_build_inode. */
const WITHOUT_NUMBERS: ReadonlySet<number> = new Set([0x4d44, 0x2011bab0])
/**
 * Programs that are file systems: libfuse counts, unless they ask for numbers of their own (`use_ino`), and sshfs does not. One that
 * tells births (`FUSE_STATX`) is taken for one that does.
 */
const FUSE = 0x65735546

/** Whether the number of an inode on a file system of this type (`statfs`) tells a file wherever it goes. `birthtimeMs`: of a file on it. */
export const keepsInodeNumbers = (type: number, birthtimeMs: number): boolean =>
  !WITHOUT_NUMBERS.has(type) && (type !== FUSE || birthtimeMs > 0)
