import { baseNameOf, folderOf } from '../domain/relative-path.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import {
  MediaError,
  type MediaErrorCode,
  type OpenedFile,
  type OpenedFolder,
  openFolderIn,
  openFolderInside,
  openInside,
} from '../media/inside.ts'
import { type KeptFile, openKept } from '../media/kept-files.ts'
import { notFoundIn } from './library-root.ts'

export interface NamedFile<Opened = OpenedFile> {
  opened: Opened
  /** What to call it when it is saved. */
  name: string
}

/** A link that leads out of the library is, for everybody, nothing at all. */
const CODES: Record<MediaErrorCode, ErrorCode> = {
  not_found: 'not_found',
  outside: 'not_found',
  not_a_file: 'not_a_file',
  unreadable: 'unavailable',
}

/** What `media` says of a file or folder of a library, to people. `folder`: the one that it should be in. */
export const toPlacedError = async ({ root, folder }: { root: string; folder: string }, error: unknown): Promise<unknown> => {
  if (!(error instanceof MediaError)) return error
  const code = CODES[error.code]
  return code === 'not_found' ? notFoundIn(root, folder, error) : new AppError(code, undefined, { cause: error })
}

interface Place {
  root: string
  /** Relative to the root. */
  path: string
}

const openWith = async <Opened>(
  open: (root: string, path: string) => Promise<Opened>,
  { root, path }: Place,
): Promise<NamedFile<Opened>> => {
  try {
    return { opened: await open(root, path), name: baseNameOf(path) }
  } catch (error) {
    throw await toPlacedError({ root, folder: folderOf(path) }, error)
  }
}

/** Opens a file that the index names. The caller closes it. */
export const openPlaced = (place: Place): Promise<NamedFile> => openWith(openInside, place)

/** As `openPlaced`, for a file that is read piece by piece. */
export const openPlacedKept = (place: Place): Promise<NamedFile<KeptFile>> => openWith(openKept, place)

/** Opens a folder that lies in one that the index names, by its plain name. A link in its place is nothing. The caller closes it. */
export const openPlacedFolder = async ({ root, path, name }: Place & { name: string }): Promise<OpenedFolder> => {
  let parent: OpenedFolder | undefined
  try {
    parent = await openFolderInside(root, path)
    return await openFolderIn(parent, name)
  } catch (error) {
    throw await toPlacedError({ root, folder: path }, error)
  } finally {
    await parent?.handle.close()
  }
}
