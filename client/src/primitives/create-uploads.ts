import { type Accessor, createSignal, onCleanup, untrack } from 'solid-js'
import { ApiProblem } from '../api/http.ts'
import type { UploadOptions } from '../api/upload.ts'
import { t } from '../i18n/details.ts'
import { createRefresh } from './create-refresh.ts'
import { notifyError } from './notify.ts'
import { problemText } from './problem-text.ts'

export interface Upload {
  id: number
  name: string
  /** From 0 to 1. */
  fraction: number
  problem: string | undefined
}

interface UploadTarget {
  libraryId: number
}

interface Sending<Target> extends Upload {
  file: File
  target: Target
  stopping: AbortController
}

interface UploadsSpec<Target> {
  /** What the files belong to: that of the moment when they are chosen, whatever the screen shows by the time that they go. */
  target: Accessor<Target>
  send: (target: Target, file: File, options: UploadOptions) => Promise<unknown>
  /** When what is shown of it has been refreshed. */
  onSent?: () => void
}

/** Of a file that is refused the server says what is wrong with it, in English. */
const uploadProblem = (error: unknown): string =>
  error instanceof ApiProblem && error.code === 'invalid_request' && error.fields.some(({ path }) => path.startsWith('file'))
    ? t('upload.refused', error.message)
    : problemText(error)

/** Of all screens: of two files that replace each other, the one that was chosen last must be what stays. */
let queue: Promise<unknown> = Promise.resolve()

/** Of many files only some are named. */
const NAMED = 3

/**
 * Files on their way to the server, one after the other. What arrived leaves the list; what failed stays until it is sent again
 * or dismissed, and is told wherever somebody is who has left the list.
 */
export const createUploads = <Target extends UploadTarget>({ target, send, onSent }: UploadsSpec<Target>) => {
  const [uploads, setUploads] = createSignal<readonly Sending<Target>[]>([])
  const refresh = createRefresh()
  let lastId = 0
  let isClosed = false
  onCleanup(() => {
    isClosed = true
  })
  const change = (id: number, changes: Partial<Upload>) =>
    setUploads((known) => known.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)))
  const remove = (id: number) => setUploads((known) => known.filter((upload) => upload.id !== id))
  const find = (id: number) => uploads().find((upload) => upload.id === id)
  const tellFailed = (names: readonly string[], problem: string) => {
    const some = names.slice(0, NAMED).join(', ')
    notifyError(new Error(t('upload.failed', names.length > NAMED ? `${some}, …` : some, problem)))
  }

  const sendAll = (waiting: readonly Sending<Target>[]) => {
    // They go on under other screens of ours, and end with the tab: the browser asks in its own words.
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    queue = queue.then(async () => {
      /** Names by their problem. */
      const unseen = new Map<string, string[]>()
      for (const upload of waiting) {
        const { id, name, file, stopping } = upload
        const { signal } = stopping
        if (signal.aborted) continue
        try {
          await send(upload.target, file, { onProgress: (fraction) => change(id, { fraction }), signal })
          await refresh(upload.target.libraryId)
          onSent?.()
          remove(id)
        } catch (error) {
          const problem = uploadProblem(error)
          // It may have been whole by then, and have arrived.
          if (signal.aborted) await refresh(upload.target.libraryId)
          else if (isClosed) unseen.set(problem, [...(unseen.get(problem) ?? []), name])
          else change(id, { problem })
        }
      }
      window.removeEventListener('beforeunload', warn)
      for (const [problem, names] of unseen) tellFailed(names, problem)
    })
  }
  return {
    uploads,
    add: (files: readonly File[]) => {
      const chosenFor = untrack(target)
      const waiting = files.map((file) => {
        lastId += 1
        return { id: lastId, name: file.name, fraction: 0, problem: undefined, file, target: chosenFor, stopping: new AbortController() }
      })
      setUploads((known) => [...known, ...waiting])
      sendAll(waiting)
    },
    /** Stops it where it has not failed. */
    dismiss: (id: number) => {
      find(id)?.stopping.abort()
      remove(id)
    },
    retry: (id: number) => {
      const failed = find(id)
      if (!failed) return
      change(id, { fraction: 0, problem: undefined })
      sendAll([failed])
    },
  }
}
