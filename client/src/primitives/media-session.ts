/** What plays, for the lock screen and the media keys. */

import { type Accessor, createEffect, onCleanup } from 'solid-js'

interface NowPlaying {
  title: string
  /** The series, or whatever stands above the title. */
  artist: string | undefined
  artworkUrl: string | null
}

type Handlers = Partial<Record<MediaSessionAction, MediaSessionActionHandler | undefined>>

export const createMediaSession = (playing: Accessor<NowPlaying>, handlers: Accessor<Handlers>) => {
  if (!('mediaSession' in navigator)) return { tell: () => undefined }
  const session = navigator.mediaSession
  createEffect(() => {
    const { title, artist, artworkUrl } = playing()
    session.metadata = new MediaMetadata({
      title,
      ...(artist && { artist }),
      ...(artworkUrl && { artwork: [{ src: new URL(artworkUrl, document.baseURI).href }] }),
    })
  })
  createEffect(() => {
    const set = Object.entries(handlers()) as [MediaSessionAction, MediaSessionActionHandler | undefined][]
    for (const [action, handler] of set) session.setActionHandler(action, handler ?? null)
    onCleanup(() => {
      for (const [action] of set) session.setActionHandler(action, null)
    })
  })
  let isOver = false
  onCleanup(() => {
    isOver = true
    session.metadata = null
    session.playbackState = 'none'
  })
  return {
    tell: (video: HTMLVideoElement) => {
      // A video that is taken away says so afterwards.
      if (isOver) return
      session.playbackState = video.paused ? 'paused' : 'playing'
      const { duration, currentTime, playbackRate } = video
      if (Number.isFinite(duration) && duration > 0 && currentTime <= duration)
        session.setPositionState({ duration, position: currentTime, playbackRate })
    },
  }
}
