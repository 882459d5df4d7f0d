/** Subtitles above the bar and inside of the picture, where the engine has no box of them that a stylesheet could move: in Firefox. */

interface Cue {
  line: number | 'auto'
  text: string
}

/** Of one line to the size of its letters. */
const LINE_HEIGHT = 1.2
/** So much of a line may lie below what has to be free: cues move by whole lines. */
const TOLERANCE = 0.2
const SCALES = { 'cue-small': 0.75, 'cue-medium': 1, 'cue-large': 1.5 } as const

/** What stands where its file says stays there. */
const raised = new WeakSet<Cue>()

/** Leaves so many lines free below each cue. */
export const raiseCues = (cues: Iterable<Cue>, lines: number): void => {
  for (const cue of cues) {
    if (cue.line !== 'auto' && !raised.has(cue)) continue
    raised.add(cue)
    // Counted from below, to the first line of the cue.
    cue.line = -lines - cue.text.trim().split('\n').length
  }
}

/** Lifts them for as long as the video is there. How much has to be free below is the stylesheet's to say. */
export const lift = (video: HTMLVideoElement): void => {
  if (CSS.supports('selector(::-webkit-media-text-track-container)')) return
  const raise = () => {
    const { scrollMarginBottom, fontSize } = getComputedStyle(video)
    const scale = Object.entries(SCALES).find(([name]) => video.classList.contains(name))?.[1] ?? 1
    const lines = Number.parseFloat(scrollMarginBottom) / (Number.parseFloat(fontSize) * scale * LINE_HEIGHT)
    for (const { cues } of video.textTracks)
      raiseCues(
        [...(cues ?? [])].filter((cue) => cue instanceof VTTCue),
        Math.ceil(lines - TOLERANCE),
      )
  }
  raise()
  // Of a track: it tells nobody above it.
  video.addEventListener('load', raise, true)
  new ResizeObserver(raise).observe(video)
  const observer = new MutationObserver(raise)
  observer.observe(video, { attributeFilter: ['class', 'style'] })
  const controller = video.closest('media-controller')
  if (controller) observer.observe(controller, { attributeFilter: ['userinactive', 'mediapaused'] })
}
