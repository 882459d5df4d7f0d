/** Whether folders can be read, asked so that a disk which hangs holds nobody up: the system may take for ever to answer for it. */

import { access, constants } from 'node:fs/promises'

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

const look = async (path: string): Promise<boolean> =>
  access(path, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  )

interface Question {
  answer: Promise<boolean>
  /** The answer, or false once it is late. */
  known: Promise<boolean>
}

export interface FolderProbe {
  /** What is late counts as away, at once for whoever asks meanwhile. */
  isReadable(path: string): Promise<boolean>
  /** However long it takes: what is to be asked before anything that would hang as well. */
  answerOf(path: string): Promise<boolean>
}

/** Asks once at a time for each folder, as every question that hangs keeps a thread; once it has answered it is asked anew. */
export const createFolderProbe = (ask: (path: string) => Promise<boolean> = look, limitMs = LIMIT_MS): FolderProbe => {
  const asked = new Map<string, Question>()
  const begin = (path: string): Question => {
    const answer = ask(path).finally(() => asked.delete(path))
    const question = { answer, known: inTime(answer, limitMs).then((isReadable) => isReadable ?? false) }
    asked.set(path, question)
    return question
  }
  const questionOf = (path: string): Question => asked.get(path) ?? begin(path)
  return { isReadable: (path) => questionOf(path).known, answerOf: (path) => questionOf(path).answer }
}

export const { isReadable, answerOf } = createFolderProbe()
