/** Films in several files: each of these has its own time, while versions of one film share it. */

import type { FILE_ROLES } from './scanned-item.ts'

interface FilmFile {
  name: string
  role?: (typeof FILE_ROLES)[number]
}

export interface FilmPart {
  /** As among the item's files. */
  name: string
  isFirst: boolean
  isLast: boolean
}

/** In playing order; none where the film is one file. */
export const partsOf = (files: readonly FilmFile[]): FilmFile[] =>
  files.some(({ role }) => role === 'part') ? files.filter(({ role }) => role === 'main' || role === 'part') : []

/** Whether a saved position lies in this part. `file` is the part that the position names; none stands for the first. */
export const isInPart = ({ name, isFirst }: FilmPart, file: string | null | undefined): boolean => file === name || (isFirst && !file)

/** Undefined where the film is one file. A version beside the parts is all of the film. */
export const findPart = (files: readonly FilmFile[], name: string): FilmPart | undefined => {
  const parts = partsOf(files).map((part) => part.name)
  if (parts.length === 0) return undefined
  return { name, isFirst: name === parts[0], isLast: name === parts.at(-1) || !parts.includes(name) }
}
