/** What keeps a video from playing: the way to the server, which is waited for, or the file itself. */

import { type Accessor, createEffect, createSignal } from 'solid-js'
import { isServerThere } from '../api/health.ts'
import { ApiProblem } from '../api/http.ts'
import type { PlaybackControl } from './create-playback.ts'
import { onChange } from './on-change.ts'
import { createReturnWatch } from './return-watch.ts'
import type { SourceFailure } from './stream-source.ts'

/** Nothing is told, nor waited for, of a video that is not wanted now. */
export const createPlaybackFailure = (control: PlaybackControl, isWanted: Accessor<boolean> = () => true) => {
  const [failure, setFailure] = createSignal<SourceFailure>()
  const error = () => (isWanted() && control.query.isError ? control.query.error : undefined)
  const isUnreachable = () => {
    const known = error()
    return known instanceof ApiProblem && known.status === 0
  }
  const refusal = () => (isUnreachable() ? undefined : error())
  const isLost = () => failure() === 'network' && !refusal()
  let isJudging = false
  const fail = async (kind: SourceFailure, position: number) => {
    if (isJudging || failure() !== undefined) return
    isJudging = true
    // To a browser whatever does not come is a file that it cannot play. Streams end with the server that made them.
    const known = control.playback()
    const isBroken = kind === 'network' || !(await isServerThere(known?.mode === 'direct' ? undefined : known?.url))
    isJudging = false
    if (!isWanted()) return
    // What broke on the way is no better in another form.
    if (isBroken) setFailure('network')
    else if (!control.distrust(position)) setFailure('media')
  }
  const retry = () => control.query.refetch()
  createEffect(() => isUnreachable() && setFailure('network'))
  createEffect(() => isWanted() || setFailure(undefined))
  // Whoever asked: a new answer is a new attempt.
  onChange(
    () => control.query.dataUpdatedAt,
    () => setFailure(undefined),
  )
  createReturnWatch(isLost, retry)
  return {
    /** There is no way to the server; it goes on by itself. */
    isLost,
    isUnplayable: () => failure() === 'media' && !refusal(),
    /** The server's word on it, which no browser is to blame for. */
    refusal,
    fail,
    retry,
    isRetrying: () => control.query.isFetching,
  }
}

export type PlaybackFailure = ReturnType<typeof createPlaybackFailure>
