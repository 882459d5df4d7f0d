import type { Accessor } from 'solid-js'
import { createLibrary } from './libraries.ts'

/** Whether the disk of the library is away, as far as that is known: what its files are needed for cannot be done now. */
export const createIsAway = (libraryId: Accessor<number>): Accessor<boolean> => {
  const { library } = createLibrary(libraryId)
  return () => library()?.available === false
}
