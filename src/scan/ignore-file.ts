/**
 * `.ignore` files (Jellyfin's documentation, "Excluding directories"; FEATURES.md 1.1): an empty one hides its whole
 * folder, any other holds gitignore patterns relative to its folder. Nested ones add up as in git: the innermost file
 * that says anything about a path decides.
 */

import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import ignore, { type Ignore } from 'ignore'
import { pathIn } from '../domain/relative-path.ts'
import { errorMessage } from '../domain/thrown-error.ts'
import type { Warn } from './folder-tree.ts'

export const IGNORE_FILE = '.ignore'

/** A list of patterns, not a file that happens to have this name. */
const MAX_IGNORE_BYTES = 64 * 1024

/** Each star may stand for any length, and all of them are tried: with more of them, one name takes minutes. */
const MAX_STARS = { folders: 2, inName: 3 }
const countOf = (text: string, mark: RegExp): number => text.split(mark).length - 1
const hasTooManyStars = (line: string): boolean =>
  !line.startsWith('#') &&
  (countOf(line, /\*\*/) > MAX_STARS.folders || line.split('/').some((name) => countOf(name, /\*+/) > MAX_STARS.inName))

export interface IgnoreRules {
  /** Relative to the root; the patterns are relative to this folder. */
  folderPath: string
  patterns: Ignore
  outer: IgnoreRules | null
}

const readText = (absolutePath: string): string => {
  const descriptor = openSync(absolutePath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile() || stat.size > MAX_IGNORE_BYTES) throw new Error('It is no list of patterns.')
    return readFileSync(descriptor, 'utf8').replace(/^\uFEFF/, '')
  } finally {
    closeSync(descriptor)
  }
}

/**
 * The rules inside a folder that holds an `.ignore` file; `'everything'` where that file is empty. A file that cannot
 * be used is a warning, and the folder is read as if it were not there: hiding too little loses nothing.
 */
export const readIgnoreRules = (
  root: string,
  { folderPath, outer, warn }: { folderPath: string; outer: IgnoreRules | null; warn: Warn },
): IgnoreRules | 'everything' | null => {
  const path = pathIn(folderPath, IGNORE_FILE)
  try {
    const text = readText(`${root}/${path}`)
    if (text.trim() === '') return 'everything'
    if (text.split('\n').some(hasTooManyStars)) throw new Error('A pattern has too many stars.')
    const patterns = ignore({ ignorecase: false, allowRelativePaths: true }).add(text)
    // A pattern that is no valid expression throws when it is first used.
    patterns.test('probe')
    return { folderPath, patterns, outer }
  } catch (error) {
    warn(path, 'bad_ignore_file', `This file of ignore rules is not used: ${errorMessage(error)}`)
    return outer
  }
}

/** Whether the rules hide a path (relative to the root). */
export const isIgnoredByRules = (rules: IgnoreRules | null, path: string, isFolder: boolean): boolean => {
  for (let current = rules; current !== null; current = current.outer) {
    const inside = current.folderPath === '' ? path : path.slice(current.folderPath.length + 1)
    const { ignored, unignored } = current.patterns.test(isFolder ? `${inside}/` : inside)
    if (ignored) return true
    if (unignored) return false
  }
  return false
}
