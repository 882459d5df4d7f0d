/** Which game a folder holds, whatever its name says of version, system and shop. */

import { isYear } from './name-year.ts'

/** `v1.5`, `Version 2`, `Build 1234`, `0.17.79`; but `Touhou 12.3` is a game, and so are `Kingdom Hearts HD 1.5` and `Danganronpa V3`. */
const VERSION = String.raw`v(?:er(?:sion)?\.?)?[\s_]?\d+(?:[._]\d+)+[a-z]?|ver(?:sion)?\.?[\s_]?\d+[a-z]?|build[\s._]?\d+|\d+(?:\.\d+){2,}[a-z]?`
const SYSTEM = String.raw`windows|win(?:32|64)?|linux(?:32|64)?|mac|macos|os[\s_]?x|x86|x64|(?:32|64)[\s-]?bit`
/** GameVault's marks among them: early access, portable or setup. */
const SHOP = String.raw`gog(?:\.com)?|steam|itch(?:\.io)?|epic(?:\sgames)?|humble(?:\sbundle)?|drm[\s-]?free|ea|[wl]_(?:p|s|sw)`

const BRACKETED = /[([{]([^()[\]{}]*)[)\]}]/g
/** In brackets `v2` is a version as well, and so is a number of two parts; one of many digits is that of a build. */
const KNOWN = new RegExp(`^(?:${VERSION}|v\\d+[a-z]?|\\d+\\.\\d+[a-z]?|\\d{5,}|${SYSTEM}|${SHOP})$`, 'i')
const LAST = new RegExp(`[\\s._-]+(?:${VERSION}|${SYSTEM}|gog)$`, 'i')

interface GameName {
  /** Equal for folders that hold the same game; empty where nothing but brackets is there. */
  words: string
  /** In brackets. Where only one of two names has one, they may be the same game. */
  year: number | null
}

const withoutLast = (name: string): string => {
  const shorter = name.trimEnd().replace(LAST, '')
  return shorter === name || !/[\p{L}\p{N}]/u.test(shorter) ? name : withoutLast(shorter)
}

/** What is in brackets and not known is of the name: a demo, a soundtrack and an edition are no game of the same name. */
export const parseGameName = (folderName: string): GameName => {
  let year: number | null = null
  const bare = folderName.normalize('NFC').replace(BRACKETED, (group, text: string) => {
    const said = text.split(/[,;+&/]/).map((word) => word.trim())
    for (const word of said) if (isYear(word)) year ??= Number(word)
    return said.every((word) => isYear(word) || KNOWN.test(word)) ? ' ' : group
  })
  const words = withoutLast(bare)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return { words, year }
}
