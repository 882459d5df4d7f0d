import { debounce } from '@solid-primitives/scheduled'
import { type Accessor, createSignal } from 'solid-js'
import { listFolders } from '../api/filesystem.ts'
import { queryKeys } from '../api/query-keys.ts'
import { createQuery } from './create-query.ts'
import { onChange } from './on-change.ts'

/** Whoever pauses for so long has typed a folder to be looked at. */
const TYPING_MS = 400

/** What lies in a folder of the server while its path is being typed. */
export const createFolderCheck = (path: Accessor<string>) => {
  const [settled, setSettled] = createSignal(path().trim())
  const settleLater = debounce((text: string) => setSettled(text), TYPING_MS)
  onChange(path, (text) => settleLater(text.trim()))
  const folders = createQuery(() => ({
    queryKey: queryKeys.folders(settled()),
    queryFn: ({ signal }) => listFolders(settled(), signal),
    enabled: settled() !== '',
    retry: false,
  }))
  const isSettled = () => settled() !== '' && settled() === path().trim()
  return {
    isChecking: () => path().trim() !== '' && (!isSettled() || folders.isPending),
    /** Undefined where there is no such folder, or none that may be seen. */
    count: () => (isSettled() && folders.isSuccess ? folders.data?.folders.length : undefined),
    problem: () => (isSettled() && folders.isError ? folders.error : undefined),
  }
}
