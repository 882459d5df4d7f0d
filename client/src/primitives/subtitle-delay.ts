interface Cue {
  startTime: number
  endTime: number
}

interface CueList {
  cues: ArrayLike<Cue> | null
}

/** By how much each cue stands away from its file: cues arrive late, and each is to be moved once. Seconds. */
const shifts = new WeakMap<Cue, number>()

/** Shows a track's cues this many seconds later than its file says; earlier where that is below 0. */
export const shiftCues = (track: CueList, seconds: number): void => {
  // The list sorts itself by time while its cues change.
  for (const cue of Array.from(track.cues ?? [])) {
    const by = seconds - (shifts.get(cue) ?? 0)
    if (by === 0) continue
    cue.startTime += by
    cue.endTime += by
    shifts.set(cue, seconds)
  }
}
