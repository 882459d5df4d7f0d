/** Whether folders can be read, and what lies there, asked so that a disk which hangs holds nobody up: the system may take for ever to answer for it. */

import { access, constants, opendir, realpath, stat } from 'node:fs/promises'
import { isIgnoredName } from '../domain/ignored-name.ts'
import { succeeds } from '../domain/thrown-error.ts'

const LIMIT_MS = 2000

/** A disk that has been asleep takes some seconds. */
export const WAKING_MS = 15_000

/** What `work` gives, or undefined where it takes longer; an answer that comes later is nobody's. */
export const inTime = async <T>(work: Promise<T>, limitMs: number): Promise<T | undefined> => {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(late.resolve, limitMs)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

const look = (path: string): Promise<boolean> => succeeds(access(path, constants.R_OK | constants.X_OK))

/** A folder that can be read. */
interface Place {
  /** Where the path leads now. */
  realPath: string
  /** Of all that a scan would see. */
  isEmpty: boolean
}

const holdsNothing = async (path: string): Promise<boolean> => {
  for await (const { name } of await opendir(path)) if (!isIgnoredName(name)) return false
  return true
}

/** What a folder held, and its status then. */
const lookedInto = new Map<string, { status: string; isEmpty: boolean }>()

/** Null where it cannot be read. It is listed only where its status has changed: that wakes a disk that sleeps, to ask for its status does not. */
const lookAtPlace = async (path: string): Promise<Place | null> => {
  if (!(await look(path))) return null
  try {
    const realPath = await realpath(path)
    const { dev, ino, mtimeMs } = await stat(realPath)
    const status = [dev, ino, mtimeMs].join('-')
    const known = lookedInto.get(realPath)
    const isEmpty = known?.status === status ? known.isEmpty : await holdsNothing(realPath)
    lookedInto.set(realPath, { status, isEmpty })
    return { realPath, isEmpty }
  } catch {
    return null
  }
}

interface Question<Answer> {
  answer: Promise<Answer>
  /** The answer, or undefined once it is late. */
  known: Promise<Answer | undefined>
}

interface FolderProbe<Answer> {
  /** Undefined where the answer is late, at once for whoever asks meanwhile. */
  ask(path: string): Promise<Answer | undefined>
  /** However long it takes: what is to be asked before anything that would hang as well. */
  answerOf(path: string): Promise<Answer>
}

/** Asks once at a time for each folder, as every question that hangs keeps a thread; once it has answered it is asked anew. */
export const createFolderProbe = <Answer>(question: (path: string) => Promise<Answer>, limitMs = LIMIT_MS): FolderProbe<Answer> => {
  const asked = new Map<string, Question<Answer>>()
  const begin = (path: string): Question<Answer> => {
    const answer = question(path).finally(() => asked.delete(path))
    const begun = { answer, known: inTime(answer, limitMs) }
    asked.set(path, begun)
    return begun
  }
  const questionOf = (path: string): Question<Answer> => asked.get(path) ?? begin(path)
  return { ask: (path) => questionOf(path).known, answerOf: (path) => questionOf(path).answer }
}

const readable = createFolderProbe(look)
export const { answerOf } = readable

/** Whether anything is said in time, be it that there is no such folder. */
export const doesAnswer = async (path: string): Promise<boolean> => (await readable.ask(path)) !== undefined

/** What is late counts as away. */
export const isReadable = async (path: string): Promise<boolean> => (await readable.ask(path)) ?? false

/** Null or undefined for a folder that cannot be read, or not in time. */
export const { ask: placeOf } = createFolderProbe(lookAtPlace)
