/** What a folder holds, before it is deleted: counted without following a link, and without leaving its file system. */

import { Buffer } from 'node:buffer'
import type { Stats } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import type { OpenedFolder } from './inside.ts'

export interface FolderSurvey {
  /** Everything that is no folder: files, links, pipes. */
  files: number
  /** Of the regular files, as long as they are; links and folders count nothing. */
  bytes: number
  /** Something below lies on another file system, or is mounted there: a removal would empty it. */
  hasMount: boolean
}

/** A folder's path below the one that is looked at ("" for itself), and what is no folder in it. */
type OnFolder = (path: string, names: readonly string[], infos: readonly Stats[]) => void

/** Bind mounts of one file system share its device number: the kernel's list is asked too, where there is one. */
const hasMountBelow = async (folder: string): Promise<boolean> => {
  const text = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
  return text.split('\n').some((line) => {
    // proc(5), /proc/pid/mountinfo: the fifth field, with blanks, tabs, newlines and backslashes as octal.
    const place = line.split(' ')[4] ?? ''
    const path = place.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
    return path.startsWith(`${folder}/`)
  })
}

/** Names are bytes: one that is no UTF-8 must be found all the same. */
const below = (folder: Buffer, name: Buffer): Buffer<ArrayBuffer> => Buffer.concat([folder, Buffer.from('/'), name])

/** Throws what the system says of a folder that cannot be read: what cannot be counted must not be promised. */
export const surveyFolder = async (folder: OpenedFolder, onFolder: OnFolder = () => undefined): Promise<FolderSurvey> => {
  const base = Buffer.from(folder.stablePath)
  const { dev } = await folder.handle.stat()
  const survey: FolderSurvey = { files: 0, bytes: 0, hasMount: await hasMountBelow(folder.path) }

  /** Answers the folders in it. */
  const look = async (path: Buffer<ArrayBuffer>): Promise<Buffer<ArrayBuffer>[]> => {
    const folders: Buffer<ArrayBuffer>[] = []
    const names: string[] = []
    const infos: Stats[] = []
    for (const name of await readdir(path, 'buffer')) {
      const info = await lstat(below(path, name))
      if (info.isDirectory()) {
        folders.push(below(path, name))
        survey.hasMount ||= info.dev !== dev
        continue
      }
      names.push(name.toString())
      infos.push(info)
      survey.files += 1
      if (info.isFile()) survey.bytes += info.size
    }
    onFolder(path.subarray(base.length + 1).toString(), names, infos)
    return folders
  }

  const pending = [base]
  for (let path = pending.pop(); path !== undefined && !survey.hasMount; path = pending.pop()) pending.push(...(await look(path)))
  return survey
}
