/** Bytes of the data folder's disk that are left to what people do: below it nothing is written that nobody waits for (SECURITY.md, E). */
export const DISK_RESERVE_BYTES = 500 * 1024 * 1024
