/**
 * Notices a film that leaps to its end: there are players that take an answer which is shorter than what they had asked for to be
 * the last one, and do not ask on (WebKit's on Linux, of an MP4, after a seek).
 */

/** Seconds. Nothing that plays gets so far between two looks. */
const LEAP_SECONDS = 10

type Watched = Pick<HTMLVideoElement, 'currentTime' | 'duration' | 'ended' | 'addEventListener'>

/**
 * Tells once from where it leapt, in seconds. Nobody else hears of such an end: neither the progress nor what comes next.
 * Answers how to stop.
 */
export const watchLeaps = (video: Watched, onLeap: (from: number) => void): (() => void) => {
  const stopping = new AbortController()
  let reached = 0
  const look = (event: Event) => {
    const isLeap = video.ended && video.duration - reached > LEAP_SECONDS
    if (event.type === 'seeking') reached = video.currentTime
    // What has lost its way after a seek counts from somewhere before it.
    else if (!isLeap) reached = Math.max(reached, video.currentTime)
    else {
      event.stopImmediatePropagation()
      if (event.type !== 'ended') return
      stopping.abort()
      onLeap(reached)
    }
  }
  for (const name of ['seeking', 'timeupdate', 'pause', 'ended']) {
    video.addEventListener(name, look, { capture: true, signal: stopping.signal })
  }
  return () => stopping.abort()
}
