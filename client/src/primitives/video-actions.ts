import type { PlayerAction } from './player-keys.ts'

/** Films are told apart by 24 pictures a second or more. */
const FRAME_SECONDS = 1 / 24
const MIN_SPEED = 0.25
const MAX_SPEED = 4

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

const toggleCaptions = (video: HTMLVideoElement) => {
  const tracks = [...video.textTracks]
  const shown = tracks.filter(({ mode }) => mode === 'showing')
  for (const track of shown) track.mode = 'disabled'
  const [first] = tracks
  if (shown.length === 0 && first) first.mode = 'showing'
}

const togglePictureInPicture = async (video: HTMLVideoElement) => {
  if (document.pictureInPictureElement) await document.exitPictureInPicture()
  else if (document.pictureInPictureEnabled) await video.requestPictureInPicture()
}

const toggleFullscreen = async (video: HTMLVideoElement) => {
  if (document.fullscreenElement) await document.exitFullscreen()
  else await (video.parentElement ?? video).requestFullscreen()
}

type VideoAction = Exclude<PlayerAction, { kind: 'next' }>

/** Does it, and answers what to say about it over the picture. */
export const applyAction = (video: HTMLVideoElement, action: VideoAction): string | undefined => {
  // Not every browser and not every video can: then nothing happens.
  const attempt = (work: Promise<void>) => void work.catch(() => undefined)
  switch (action.kind) {
    case 'toggle':
      if (video.paused) attempt(video.play())
      else video.pause()
      return undefined
    case 'seek':
      video.currentTime = clamp(video.currentTime + action.by, 0, video.duration || 0)
      return undefined
    case 'seekTo':
      video.currentTime = (video.duration || 0) * action.fraction
      return undefined
    case 'frame':
      if (video.paused) video.currentTime = clamp(video.currentTime + action.by * FRAME_SECONDS, 0, video.duration || 0)
      return undefined
    case 'speed':
      video.playbackRate = clamp(video.playbackRate + action.by, MIN_SPEED, MAX_SPEED)
      return `${video.playbackRate}×`
    case 'volume':
      video.muted = false
      video.volume = clamp(Math.round((video.volume + action.by) * 100) / 100, 0, 1)
      return `${Math.round(video.volume * 100)} %`
    case 'mute':
      video.muted = !video.muted
      return undefined
    case 'captions':
      toggleCaptions(video)
      return undefined
    case 'fullscreen':
      attempt(toggleFullscreen(video))
      return undefined
    case 'pictureInPicture':
      attempt(togglePictureInPicture(video))
      return undefined
    default:
      return action satisfies never
  }
}
