/** Notices that a video stands still because the server is gone: browsers say so after minutes, or never. */

import { onCleanup } from 'solid-js'
import { isServerThere } from '../api/health.ts'

export const LOOK_EVERY_MS = 3000

type Watched = Pick<HTMLVideoElement, 'readyState' | 'paused' | 'ended' | 'seeking' | 'error' | 'currentTime'>

/** HTMLMediaElement.HAVE_FUTURE_DATA: it can go on. */
const CAN_GO_ON = 3

/** It wants to go on, and has nothing to go on with. */
const isStarved = ({ readyState, paused, ended, seeking, error }: Watched): boolean =>
  readyState < CAN_GO_ON && !ended && error === null && (!paused || seeking || readyState === 0)

/** `onLost` is told again for as long as nothing changes. A server that answers, however slowly the picture comes, is waited for. */
export const createStallWatch = (video: () => Watched, onLost: () => void): void => {
  /** Seconds; where it stood at the look before this one, if it was starved then. */
  let stoodAt: number | undefined
  let isAsking = false
  let isGone = false
  const look = async () => {
    const { currentTime } = video()
    const hasStood = stoodAt === currentTime
    stoodAt = isStarved(video()) ? currentTime : undefined
    if (!hasStood || stoodAt === undefined || isAsking) return
    isAsking = true
    const isThere = await isServerThere()
    isAsking = false
    if (!isThere && !isGone && isStarved(video())) onLost()
  }
  const timer = setInterval(() => void look(), LOOK_EVERY_MS)
  onCleanup(() => {
    isGone = true
    clearInterval(timer)
  })
}
