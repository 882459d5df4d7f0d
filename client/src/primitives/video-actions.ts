import type { PlayerAction } from './player-keys.ts'

/** Films are told apart by 24 pictures a second or more. */
const FRAME_SECONDS = 1 / 24
const MIN_SPEED = 0.25
const MAX_SPEED = 4

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

/** iPhones show videos alone on the whole screen, and only through this. */
interface AppleVideo {
  webkitEnterFullscreen?: () => void
}

const togglePictureInPicture = async (video: HTMLVideoElement) => {
  if (document.pictureInPictureElement) await document.exitPictureInPicture()
  else if (document.pictureInPictureEnabled) await video.requestPictureInPicture()
}

/** What fills the screen holds the picture and all that lies over it. Where only a video may, as on iPhones, it is that. */
export const toggleFullscreen = async (stage: HTMLElement, video?: HTMLVideoElement & AppleVideo) => {
  if (document.fullscreenElement) await document.exitFullscreen()
  else if (document.fullscreenEnabled) await stage.requestFullscreen()
  else video?.webkitEnterFullscreen?.()
}

/** Those that need no more than the element; the others need the screen around it. */
type VideoAction = Exclude<PlayerAction, { kind: 'next' | 'previous' | 'help' | 'captions' | 'subtitleDelay' | 'seek' | 'chapter' }>

export const setSpeed = (video: HTMLVideoElement, speed: number): string => {
  // Whatever source comes after this one begins with the default.
  video.defaultPlaybackRate = video.playbackRate = clamp(speed, MIN_SPEED, MAX_SPEED)
  return `${video.playbackRate}×`
}

export const seekBy = (video: HTMLVideoElement, seconds: number) => {
  video.currentTime = clamp(video.currentTime + seconds, 0, video.duration || 0)
}

/** Does it, and answers what to say about it over the picture. */
export const applyAction = (video: HTMLVideoElement, action: VideoAction, stage: HTMLElement = video): string | undefined => {
  // Not every browser and not every video can: then nothing happens.
  const attempt = (work: Promise<void>) => void work.catch(() => undefined)
  switch (action.kind) {
    case 'toggle':
      if (video.paused) attempt(video.play())
      else video.pause()
      return undefined
    case 'seekTo':
      if (Number.isFinite(video.duration)) video.currentTime = video.duration * action.fraction
      return undefined
    case 'frame':
      if (video.paused) seekBy(video, action.by * FRAME_SECONDS)
      return undefined
    case 'speed':
      return setSpeed(video, video.playbackRate + action.by)
    case 'volume':
      video.muted = false
      video.volume = clamp(Math.round((video.volume + action.by) * 100) / 100, 0, 1)
      return `${Math.round(video.volume * 100)} %`
    case 'mute':
      video.muted = !video.muted
      return undefined
    case 'fullscreen':
      attempt(toggleFullscreen(stage, video))
      return undefined
    case 'pictureInPicture':
      attempt(togglePictureInPicture(video))
      return undefined
    default:
      return action satisfies never
  }
}
