/** A process of its own, as somebody whom modes bind: `bun removal-process.ts PLACE`. */

import { chmodSync, readdirSync, renameSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { openFolderInside } from '../../src/media/inside.ts'
import { removeFolder } from '../../src/media/remove-folder.ts'

/** Removes `<place>/film`, and once its folders are made writable puts a link to `<place>/others` in the place of the last of them. */
const removeWhileExchanged = async (place: string): Promise<void> => {
  const film = join(place, 'film')
  const names = readdirSync(film)
  const [first = '', last = ''] = [names[0], names.at(-1)]
  const parent = await openFolderInside(place, '')
  const removal = removeFolder(parent, 'film').catch((error: unknown) => error)
  while ((statSync(join(film, first)).mode & 0o777) === 0o500) await new Promise(setImmediate)
  // It could not be moved otherwise: its `..` becomes another one.
  chmodSync(join(film, last), 0o700)
  renameSync(join(film, last), join(place, 'away'))
  symlinkSync(join(place, 'others'), join(film, last))
  await removal
  await parent.handle.close()
}

await removeWhileExchanged(String(process.argv[2]))
