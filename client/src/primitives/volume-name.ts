import type { BrowseEntry } from '../api/types.ts'
import { folderFact } from './entry-facts.ts'

/** Where only the name of a volume is said: one chapter 1 of a series could not be told from another by its title. */
export const volumeName = (volume: Pick<BrowseEntry, 'itemType' | 'itemKey' | 'title'>): string =>
  [folderFact(volume), volume.title].filter(Boolean).join(' · ')
