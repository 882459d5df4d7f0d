import { Buffer } from 'node:buffer'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * Everything below a folder, by path: what a file holds (its hash), where a link leads, or that it is a folder. Names
 * that are no UTF-8 are told as Latin-1. Folders of the trash are left out.
 */
export const folderContents = (root: string): Map<string, string> => {
  const found = new Map<string, string>()
  const look = (folder: Buffer, prefix: string): void => {
    for (const name of readdirSync(folder, 'buffer')) {
      const path = Buffer.concat([folder, Buffer.from('/'), name])
      const text = Buffer.from(name.toString()).equals(name) ? name.toString() : name.toString('latin1')
      const info = lstatSync(path)
      if (text.startsWith('.vitrine-trash-')) continue
      if (info.isSymbolicLink()) found.set(prefix + text, `link ${readlinkSync(path)}`)
      else if (info.isFile()) found.set(prefix + text, `file ${info.size} ${Bun.hash(readFileSync(path))}`)
      else found.set(prefix + text, 'folder')
      if (info.isDirectory()) look(path, `${prefix}${text}/`)
    }
  }
  look(Buffer.from(root), '')
  return found
}

/** The same without a folder and what is below it. */
export const withoutFolder = (contents: ReadonlyMap<string, string>, folder: string): Map<string, string> =>
  new Map([...contents].filter(([path]) => path !== folder && !path.startsWith(`${folder}/`)))
