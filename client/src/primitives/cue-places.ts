/** Subtitles above the bar and inside of the picture, as far as a stylesheet cannot place them. */

interface Cue {
  startTime: number
  endTime: number
  line: number | 'auto'
  snapToLines: boolean
  text: string
  vertical: string
}

/** Of one line to the size of its letters. */
const LINE_HEIGHT = 1.2
/** So much of a line may lie below what has to be free: cues move by whole lines. */
const TOLERANCE = 0.2
const SCALES = { 'cue-small': 0.75, 'cue-medium': 1, 'cue-large': 1.5 } as const

/** What stands where its file says stays there. */
const raised = new WeakSet<Cue>()

const linesOf = ({ text }: Cue): number => text.trim().split('\n').length

/** Leaves so many lines free below each cue: for Firefox, which has no box of them that could be moved. */
export const raiseCues = (cues: Iterable<Cue>, lines: number): void => {
  for (const cue of cues) {
    if (cue.line !== 'auto' && !raised.has(cue)) continue
    raised.add(cue)
    // Counted from below, to the first line of the cue.
    cue.line = -lines - linesOf(cue)
  }
}

/** All of it in pixels. */
interface Room {
  height: number
  /** What of the height has no picture, above it and below it. */
  gap: number
  /** By how much the box of the cues stands higher than the video. */
  lift: number
  lineHeight: number
}

/** Where the file places a cue, counted from above, and how many lines of others stand there already. */
interface Place {
  line: number
  isLines: boolean
  taken: number
}
const places = new WeakMap<Cue, Place>()

/** No more than these are looked at for each cue: some files write with hundreds at once. */
const MOST_AT_ONCE = 16

/** Per cent. */
const UNSEEN = 0.001

const placeOf = (cue: Cue, before: readonly Cue[]): Place | undefined => {
  const { line, snapToLines: isLines } = cue
  if (line === 'auto' || line < 0 || cue.vertical !== '') return
  const taken = before.map((other) => {
    const place = places.get(other)
    return place?.line === line && place.isLines === isLines && other.endTime > cue.startTime ? place.taken + linesOf(other) : 0
  })
  return { line, isLines, taken: Math.max(0, ...taken) }
}

/**
 * Cues that their file places from above stand there in the picture though their box was moved up, but never below the box. They are
 * placed by per cent, where browsers put one over the other, so they are put below each other here.
 */
export const keepCues = (cues: Iterable<Cue>, { height, gap, lift, lineHeight }: Room): void => {
  const before: Cue[] = []
  for (const cue of cues) {
    const place = places.get(cue) ?? placeOf(cue, before.slice(-MOST_AT_ONCE))
    if (!place) continue
    places.set(cue, place)
    before.push(cue)
    const from = place.line * (place.isLines ? lineHeight : (height - 2 * gap) / 100)
    const top = Math.min(gap + from + place.taken * lineHeight + lift, height - linesOf(cue) * lineHeight)
    cue.snapToLines = false
    cue.line = (top / height) * 100
  }
  const last = before.at(-1)
  // Chromium shows what has changed of a cue only with the next change of any.
  if (typeof last?.line === 'number') last.line += UNSEEN
}

/** Looks after them for as long as the video is there. How much has to be free below is the stylesheet's to say. */
export const lift = (video: HTMLVideoElement): void => {
  const hasBox = CSS.supports('selector(::-webkit-media-text-track-container)')
  const placeCues = () => {
    const { clientHeight: height, clientWidth, videoWidth, videoHeight } = video
    if (height === 0) return
    const style = getComputedStyle(video)
    const scale = Object.entries(SCALES).find(([name]) => video.classList.contains(name))?.[1] ?? 1
    const lineHeight = Number.parseFloat(style.fontSize) * scale * LINE_HEIGHT
    const lifted = Number.parseFloat(style.scrollMarginBottom)
    const gap = Math.max(0, (height - (clientWidth * videoHeight) / videoWidth) / 2) || 0
    for (const track of video.textTracks) {
      const cues = [...(track.cues ?? [])].filter((cue) => cue instanceof VTTCue)
      if (hasBox) keepCues(cues, { height, gap, lift: lifted, lineHeight })
      else raiseCues(cues, Math.ceil(lifted / lineHeight - TOLERANCE))
    }
  }
  placeCues()
  // Of a track: it tells nobody above it. One that is switched on again has its cues already.
  video.addEventListener('load', placeCues, true)
  video.textTracks.addEventListener('change', placeCues)
  new ResizeObserver(placeCues).observe(video)
  const observer = new MutationObserver(placeCues)
  observer.observe(video, { attributeFilter: ['class', 'style'] })
  const controller = video.closest('media-controller')
  if (controller) observer.observe(controller, { attributeFilter: ['userinactive', 'mediapaused'] })
}
