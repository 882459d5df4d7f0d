/** Remembers how far a video was watched. Thresholds are the defaults of Jellyfin's server. */

import { createSignal, onCleanup, onMount } from 'solid-js'
import { getProgress, saveProgress } from '../api/progress.ts'

const SAVE_EVERY_MS = 10_000
/** Shorter videos are not resumed. */
const MIN_DURATION_SECONDS = 300
const MIN_FRACTION = 0.05
const COMPLETED_FRACTION = 0.9

interface PlaybackProgressOptions {
  itemKey: () => string
  video: () => HTMLVideoElement
  /** Seconds. */
  startAt: () => number | undefined
}

export const createPlaybackProgress = (options: PlaybackProgressOptions) => {
  let savedAt = Date.now()
  const [resumedAt, setResumedAt] = createSignal<number>()
  // The element is gone by the time that cleanups run, its last position is needed then.
  let last = { position: 0, duration: 0 }

  const save = () => {
    const { position, duration } = last
    if (!Number.isFinite(duration) || duration < MIN_DURATION_SECONDS || position / duration < MIN_FRACTION) return
    savedAt = Date.now()
    const completed = position / duration >= COMPLETED_FRACTION
    // Losing one position is harmless, the next one is saved in ten seconds.
    saveProgress(options.itemKey(), { positionSeconds: position, durationSeconds: duration, completed }).catch(() => undefined)
  }

  const resume = async () => {
    const video = options.video()
    const asked = options.startAt()
    if (asked !== undefined) {
      video.currentTime = asked
      return
    }
    if (video.duration < MIN_DURATION_SECONDS) return
    const progress = await getProgress(options.itemKey()).catch(() => undefined)
    if (!progress?.positionSeconds || progress.completed || progress.positionSeconds / video.duration >= COMPLETED_FRACTION) return
    video.currentTime = progress.positionSeconds
    setResumedAt(progress.positionSeconds)
  }

  onMount(() => window.addEventListener('pagehide', save))
  onCleanup(() => {
    window.removeEventListener('pagehide', save)
    save()
  })

  return {
    resumedAt,
    save,
    resume: () => void resume(),
    onTimeUpdate: () => {
      const { currentTime, duration } = options.video()
      last = { position: currentTime, duration }
      if (Date.now() - savedAt >= SAVE_EVERY_MS) save()
    },
  }
}
