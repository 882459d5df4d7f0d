/**
 * File systems that store no numbers of inodes and make some up as they are looked at, others after each start and at times in
 * between: FAT and exFAT, as USB disks have them (iunique in Linux' fat_build_inode and exfat_build_inode; magic numbers of statfs(2)).
 */
const WITHOUT_NUMBERS: ReadonlySet<number> = new Set([0x4d44, 0x2011bab0])

/** Whether the number of an inode on a file system of this type (`statfs`) tells a file wherever it goes. */
export const keepsInodeNumbers = (type: number): boolean => !WITHOUT_NUMBERS.has(type)
