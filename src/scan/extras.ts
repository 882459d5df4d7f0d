/** Videos that accompany a film or a series: named like extras, or in any subfolder. */

import { extraLabel } from '../domain/extra-name.ts'
import { isVideoName, stemOf } from '../domain/media-file.ts'
import type { ScannedFile } from '../domain/scanned-item.ts'
import { type FileEntry, type FolderEntry, filesBelow, relativeTo } from './folder-tree.ts'

/** All videos in or below the folder but those that are `taken`: its films, or its episodes. */
export const extrasOf = (folder: FolderEntry, taken: ReadonlySet<FileEntry>): ScannedFile[] => {
  const own = new Set([...taken].map(({ name }) => stemOf(name)))
  return filesBelow(folder)
    .filter((file) => isVideoName(file.name) && !taken.has(file))
    .map((file) => ({
      name: relativeTo(folder, file.path),
      size: file.size,
      role: 'extra',
      label: extraLabel(stemOf(file.name), folder.name, own),
    }))
}
