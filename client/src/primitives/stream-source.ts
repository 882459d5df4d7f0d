/** Gives a video element what it is to play: a file, or a list of pieces. */

import { playsHlsByItself } from './browser-capabilities.ts'
import { watchLeaps } from './watch-leaps.ts'

/** Whether the bytes did not come, or came and could not be played. */
export type SourceFailure = 'network' | 'media'

interface StreamSource {
  url: string
  isList: boolean
  /** Seconds. */
  startAt: number
  onFailure: (failure: SourceFailure) => void
}

/** Answers how to take it away again. */
export const attachSource = (video: HTMLVideoElement, { url, isList, startAt, onFailure }: StreamSource): (() => void) => {
  const gone = new AbortController()
  const { signal } = gone
  const beginAt = (seconds: number) => {
    const goThere = () => {
      video.currentTime = seconds
    }
    if (seconds > 0) video.addEventListener('loadedmetadata', goThere, { once: true, signal })
  }
  beginAt(startAt)
  let takeAway = () => {
    video.removeAttribute('src')
    video.load()
  }
  const attachPlayer = async () => {
    const { default: Hls } = await import('hls.js/light')
    if (signal.aborted) return
    if (!Hls.isSupported()) return onFailure('media')
    // Fragments of MP4 go to the browser as they are: there is nothing to do for a worker.
    const player = new Hls({ startPosition: startAt, enableWorker: false })
    takeAway = () => player.destroy()
    player.on(Hls.Events.ERROR, (_, { fatal, type, response }) => {
      if (!fatal) return
      // An answer that says no is the server's word on the file; none at all is the way to it.
      const isUnreachable = type === Hls.ErrorTypes.NETWORK_ERROR && (response?.code ?? 0) === 0
      onFailure(isUnreachable ? 'network' : 'media')
    })
    player.loadSource(url)
    player.attachMedia(video)
  }
  if (isList && !playsHlsByItself()) attachPlayer().catch(() => onFailure('network'))
  else {
    video.src = url
    const whole = url.replace('&pieces=1', '')
    const playWhole = (from: number) => {
      beginAt(from)
      video.src = whole
    }
    if (whole !== url) signal.addEventListener('abort', watchLeaps(video, playWhole))
  }
  return () => {
    gone.abort()
    takeAway()
  }
}
