/**
 * Small pictures along a video, shown over the bar by which somebody seeks in it: WebVTT whose cues are addresses of pictures, with
 * the part of them that is meant. JW Player's form, which Video.js, Plyr and media-chrome read as well.
 */

/** Pixels of each. A video of another shape stands in them on black. */
export const PREVIEW_SIZE = { width: 320, height: 180 } as const
/** What is shorter is looked through in a moment. */
const SHORTEST_VIDEO_SECONDS = 30
const SHORTEST_STEP_SECONDS = 2
/** A list that is small to send, and finer than a pointer is on most bars. */
const MAX_PREVIEWS = 300

export const hasPreviews = (durationSeconds: number | null): durationSeconds is number =>
  durationSeconds !== null && durationSeconds >= SHORTEST_VIDEO_SECONDS

const timestamp = (seconds: number): string => {
  const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((part) => String(Math.floor(part)).padStart(2, '0'))
  return `${parts.join(':')}.000`
}

/** The list as WebVTT; `addressAt` is where the picture at a second comes from, relative to the list or not. */
export const previewList = (durationSeconds: number, addressAt: (seconds: number) => string): string => {
  const step = Math.max(SHORTEST_STEP_SECONDS, Math.ceil(durationSeconds / MAX_PREVIEWS))
  const cues = Array.from({ length: Math.ceil(durationSeconds / step) }, (_, index) => {
    const start = index * step
    const times = `${timestamp(start)} --> ${timestamp(start + step)}`
    return `${times}\n${addressAt(start)}#xywh=0,0,${PREVIEW_SIZE.width},${PREVIEW_SIZE.height}\n`
  })
  return ['WEBVTT\n', ...cues].join('\n')
}
