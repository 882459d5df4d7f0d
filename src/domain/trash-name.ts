/** Names of what a deletion has hidden in the root of its library, until it is restored or removed. Scans leave out names with a dot. */

const PREFIX = '.vitrine-trash-'

/** `random` keeps two databases that know one disk apart. */
export const trashName = (deletionId: number, random: string): string => `${PREFIX}${deletionId}-${random}`

export const isTrashName = (name: string): boolean => name.startsWith(PREFIX)
