/** What keeps a video from playing: the way to the server or the disk of its library, which are waited for, or the file itself. */

import { type Accessor, createEffect, createSignal } from 'solid-js'
import { ApiProblem } from '../api/http.ts'
import type { PlaybackControl } from './create-playback.ts'
import { createFileFailure } from './file-failure.ts'
import { onChange } from './on-change.ts'
import type { SourceFailure } from './stream-source.ts'

/** Nothing is told, nor waited for, of a video that is not wanted now. */
export const createPlaybackFailure = (control: PlaybackControl, isWanted: Accessor<boolean> = () => true) => {
  const retry = () => control.query.refetch()
  const { failure, setFailure, isWaiting, judge } = createFileFailure(control.itemKey, retry)
  /** The server's word on it, which no browser is to blame for. */
  const [refusal, setRefusal] = createSignal<Error>()
  const error = () => (isWanted() && control.query.isError ? control.query.error : undefined)
  let isJudging = false
  const fail = async (kind: SourceFailure, position: number) => {
    if (isJudging || failure() !== undefined) return
    isJudging = true
    // To a browser whatever does not come is a file that it cannot play. Streams end with the server that made them.
    const known = control.playback()
    const why = kind === 'network' ? 'lost' : await judge(known?.mode === 'direct' ? undefined : known?.url)
    isJudging = false
    // What broke on the way is no better in another form.
    if (isWanted() && (why !== 'damaged' || !control.distrust(position))) setFailure(why)
  }
  createEffect(async () => {
    const known = error()
    setRefusal(undefined)
    if (!known) return
    const why = known instanceof ApiProblem && known.status === 0 ? 'lost' : await judge()
    if (known !== error()) return
    if (why === 'damaged') setRefusal(known)
    setFailure(why === 'damaged' ? undefined : why)
  })
  createEffect(() => isWanted() || setFailure(undefined))
  // Whoever asked: a new answer is a new attempt.
  onChange(
    () => control.query.dataUpdatedAt,
    () => setFailure(undefined),
  )
  return {
    failure,
    /** There is no way to it, and it goes on by itself. */
    isLost: isWaiting,
    isUnplayable: () => failure() === 'damaged',
    refusal,
    fail,
    retry,
    isRetrying: () => control.query.isFetching,
  }
}

export type PlaybackFailure = ReturnType<typeof createPlaybackFailure>
