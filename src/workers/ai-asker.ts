/**
 * A thread that does the jobs of the AI queue that need no picture: all they do is wait for a model, so it has many under
 * way at a time, and some ahead, that it begins with as soon as an answer comes.
 */

import { setPriority } from 'node:os'
import type { AiTask } from '../ai/ai-task.ts'
import type { VocabularyTag } from '../ai/vocabulary.ts'
import type { AiSettings } from '../domain/ai-settings.ts'
import { answerTask } from './ai-answer.ts'
import { Impossible } from './ai-work.ts'
import { ASKER_ALIVE_MS, type AskerAnswer, type AskerEnd, type AskerRequest, type AskerTask, isRecord } from './protocol.ts'

declare const self: Worker

/** As `nice` has it: enough that whoever opens a page goes before, and never so much that this thread seems to hang. */
const BEHIND = 4

/** On Linux a priority is one of a thread (setpriority(2)); elsewhere it would be the whole server's. */
const goBehind = (): void => {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, BEHIND)
  } catch {
    // A container may forbid it: then pages wait a little longer.
  }
}

goBehind()

interface Waiting {
  id: number
  task: AiTask
}

let vocabulary: VocabularyTag[] = []
const urgent: Waiting[] = []
const ordinary: Waiting[] = []
const underWay = new Map<number, AbortController>()
let atOnce = 1

const say = (answer: AskerAnswer): void => self.postMessage(answer)

let ended: AskerEnd[] = []
const tellEnds = (): void => {
  if (ended.length === 0) return
  const ends = ended
  ended = []
  say({ type: 'ended', ends: JSON.stringify(ends) })
}

/** What ends within so many milliseconds is told together, while there is enough to go on with: whoever hears of it has to wake up. */
const TOGETHER_MS = 5

const tell = (end: AskerEnd): void => {
  if (ended.push(end) > 1) return
  if (ordinary.length > atOnce) setTimeout(tellEnds, TOGETHER_MS)
  else setImmediate(tellEnds)
}

// Whoever does not hear of it knows that the thread hangs.
setInterval(() => {
  if (underWay.size > 0) say({ type: 'alive' })
}, ASKER_ALIVE_MS)

const noPictures = (): never => {
  throw new Impossible('This thread opens no pictures.')
}

const run = async ({ id, task }: Waiting): Promise<void> => {
  const stopper = new AbortController()
  underWay.set(id, stopper)
  const end = await answerTask(id, { task, state: { askedModel: false }, signal: stopper.signal }, noPictures)
  underWay.delete(id)
  tell(end)
  beginSoon()
}

/** Answers that come at once are taken together: the next questions then wake the thread of `fetch` once, and not one by one. */
let isBeginning = false
const beginSoon = (): void => {
  if (isBeginning) return
  isBeginning = true
  setImmediate(begin)
}

const begin = (): void => {
  isBeginning = false
  while (underWay.size < atOnce) {
    const next = urgent.shift() ?? ordinary.shift()
    if (!next) return
    void run(next)
  }
}

const NOTHING_TO_OPEN = { root: null, pictures: [], donePages: [], ffmpegPath: null, ocrDataDir: null, temporaryFolder: '' }

const parseTasks = (text: string): AskerTask[] => JSON.parse(text)

const take = ({ id, isUrgent, hasVocabulary, ...own }: AskerTask, settings: AiSettings): void => {
  const list = isUrgent ? urgent : ordinary
  list.push({ id, task: { ...own, ...NOTHING_TO_OPEN, settings, vocabulary: hasVocabulary ? vocabulary : [] } })
}

const giveBack = (isWanted: (id: number) => boolean): void => {
  for (const list of [urgent, ordinary])
    for (const waiting of list.splice(0)) {
      if (isWanted(waiting.id)) list.push(waiting)
      else tell({ type: 'recalled', id: waiting.id })
    }
}

const handle = (request: AskerRequest): void => {
  switch (request.type) {
    case 'ask':
      for (const task of parseTasks(request.tasks)) take(task, request.settings)
      return begin()
    case 'vocabulary':
      vocabulary = request.vocabulary
      return
    case 'limit':
      atOnce = request.atOnce
      return begin()
    case 'cancel':
      underWay.get(request.id)?.abort()
      return giveBack((id) => id !== request.id)
    case 'recall':
      giveBack(() => false)
      tellEnds()
      return say({ type: 'recalled' })
    default:
      return request satisfies never
  }
}

const KINDS = ['ask', 'vocabulary', 'limit', 'cancel', 'recall']
const isRequest = (message: unknown): message is AskerRequest => isRecord(message) && KINDS.some((kind) => kind === message.type)

self.onmessage = ({ data }: MessageEvent<unknown>): void => {
  if (isRequest(data)) handle(data)
}
