import { createSignal } from 'solid-js'
import { problemText } from './problem-text.ts'

export interface Upload {
  id: number
  name: string
  /** From 0 to 1. */
  fraction: number
  problem: string | undefined
}

type Send = (file: File, onProgress: (fraction: number) => void) => Promise<unknown>

/** Files on their way to the server, one after the other. What arrived leaves the list; what failed stays until it is dismissed. */
export const createUploads = (send: Send, onSent: () => Promise<unknown>) => {
  const [uploads, setUploads] = createSignal<readonly Upload[]>([])
  let lastId = 0
  const change = (id: number, changes: Partial<Upload>) =>
    setUploads((known) => known.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)))
  const dismiss = (id: number) => setUploads((known) => known.filter((upload) => upload.id !== id))
  const add = async (files: readonly File[]) => {
    const waiting = files.map((file) => {
      lastId += 1
      return { file, upload: { id: lastId, name: file.name, fraction: 0, problem: undefined } }
    })
    setUploads((known) => [...known, ...waiting.map(({ upload }) => upload)])
    for (const { file, upload } of waiting) {
      try {
        await send(file, (fraction) => change(upload.id, { fraction }))
        await onSent()
        dismiss(upload.id)
      } catch (error) {
        change(upload.id, { problem: problemText(error) })
      }
    }
  }
  return { uploads, add, dismiss }
}
