/** What keeps a file from being shown: the way to the server or the disk of its library, which are waited for, or the file itself. */

import { useQueryClient } from '@tanstack/solid-query'
import { type Accessor, createSignal } from 'solid-js'
import { parseItemKey } from '../../../src/domain/item-key.ts'
import { isServerThere } from '../api/health.ts'
import { queryKeys } from '../api/query-keys.ts'
import type { Library } from '../api/types.ts'
import { createReturnWatch } from './return-watch.ts'

/** To a browser they are all the same. */
export type FileFailure = 'lost' | 'away' | 'damaged'

/** `onReturn`: nothing is in the way any more, but perhaps the file itself. */
export const createFileFailure = (itemKey: Accessor<string>, onReturn: () => unknown) => {
  const client = useQueryClient()
  const [failure, setFailure] = createSignal<FileFailure>()
  /** With the address of a stream, whether the server still has that. */
  const judge = async (url?: string): Promise<FileFailure> => {
    if (!(await isServerThere(url))) return 'lost'
    const { libraries: queryKey } = queryKeys
    // What is known of them may be from before. Whoever asks at the same time waits for the same answer.
    await client.refetchQueries({ queryKey }, { cancelRefetch: false })
    const id = parseItemKey(itemKey())?.libraryId
    const library = client.getQueryData<{ libraries: Library[] }>(queryKey)?.libraries.find((known) => known.id === id)
    return library?.available === false ? 'away' : 'damaged'
  }
  const isWaiting = () => failure() === 'lost' || failure() === 'away'
  createReturnWatch(isWaiting, async () => {
    const now = await judge()
    if (now === 'damaged') await onReturn()
    else setFailure(now)
  })
  return { failure, setFailure, isWaiting, judge }
}
