/** A volume, opened: an archive, or a folder of pictures. */

import { ignoring, type OpenedFile, type OpenedFolder, openFolderInside, openInside, toMediaError } from './inside.ts'

interface Stamped {
  /** Differs from that of every other volume, and of this one changed: of the very archive or folder that is open, whatever happens to its name. */
  stamp: string
  /** Milliseconds since the epoch, with fractions. */
  modifiedAtMs: number
}

export type OpenedVolume = Stamped & ({ kind: 'archive'; opened: OpenedFile } | { kind: 'folder'; opened: OpenedFolder })

/** The caller closes `opened.handle`. Throws `MediaError`. */
export const openVolume = async (root: string, relative: string): Promise<OpenedVolume> => {
  const file = await openInside(root, relative).catch(ignoring('not_a_file'))
  if (file) {
    const { device, inode, size, modifiedAtNs, modifiedAtMs } = file
    return { kind: 'archive', opened: file, stamp: [device, inode, size, modifiedAtNs].join('-'), modifiedAtMs }
  }
  const opened = await openFolderInside(root, relative)
  try {
    const { ino, mtimeMs } = await opened.handle.stat()
    return { kind: 'folder', opened, stamp: [ino, mtimeMs].join('-'), modifiedAtMs: mtimeMs }
  } catch (error) {
    await opened.handle.close()
    throw toMediaError(error)
  }
}
