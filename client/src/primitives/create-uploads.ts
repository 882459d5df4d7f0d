import { type Accessor, createSignal, untrack } from 'solid-js'
import { ApiProblem } from '../api/http.ts'
import { t } from '../i18n/details.ts'
import { problemText } from './problem-text.ts'

export interface Upload {
  id: number
  name: string
  /** From 0 to 1. */
  fraction: number
  problem: string | undefined
}

interface UploadsSpec<Target> {
  /** What the files belong to: that of the moment when they are chosen, whatever the screen shows by the time that they go. */
  target: Accessor<Target>
  send: (target: Target, file: File, onProgress: (fraction: number) => void) => Promise<unknown>
  onSent: (target: Target) => Promise<unknown>
}

/** Of a file that is refused the server says what is wrong with it, in English. */
const uploadProblem = (error: unknown): string =>
  error instanceof ApiProblem && error.code === 'invalid_request' && error.fields.some(({ path }) => path.startsWith('file'))
    ? t('upload.refused', error.message)
    : problemText(error)

/** Of all screens: of two files that replace each other, the one that was chosen last must be what stays. */
let queue: Promise<unknown> = Promise.resolve()

/** Files on their way to the server, one after the other. What arrived leaves the list; what failed stays until it is dismissed. */
export const createUploads = <Target>({ target, send, onSent }: UploadsSpec<Target>) => {
  const [uploads, setUploads] = createSignal<readonly Upload[]>([])
  let lastId = 0
  const change = (id: number, changes: Partial<Upload>) =>
    setUploads((known) => known.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)))
  const dismiss = (id: number) => setUploads((known) => known.filter((upload) => upload.id !== id))
  const add = (files: readonly File[]) => {
    const chosenFor = untrack(target)
    const waiting = files.map((file) => {
      lastId += 1
      return { file, upload: { id: lastId, name: file.name, fraction: 0, problem: undefined } }
    })
    setUploads((known) => [...known, ...waiting.map(({ upload }) => upload)])
    // They go on under other screens of ours, and end with the tab: the browser asks in its own words.
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    queue = queue.then(async () => {
      for (const { file, upload } of waiting) {
        try {
          await send(chosenFor, file, (fraction) => change(upload.id, { fraction }))
          await onSent(chosenFor)
          dismiss(upload.id)
        } catch (error) {
          change(upload.id, { problem: uploadProblem(error) })
        }
      }
      window.removeEventListener('beforeunload', warn)
    })
  }
  return { uploads, add, dismiss }
}
