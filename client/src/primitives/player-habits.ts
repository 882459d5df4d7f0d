/** What somebody has set in one video, and wants in the next one too. */

import { recall, remember } from './device-memory.ts'

/** For as long as one goes from episode to episode. */
export interface Pace {
  /** The default one of a video: a finger that is held down changes the other for a moment. */
  speed: number
}

const MEMORY = 'loudness'

type Loudness = Pick<HTMLVideoElement, 'volume' | 'muted'>

const stored = (): Partial<Loudness> => {
  try {
    return JSON.parse(recall(MEMORY) ?? '{}') ?? {}
  } catch {
    // It holds whatever somebody wrote into it.
    return {}
  }
}

/** That of a device: whoever has set it once has set it. */
export const recallLoudness = (video: Loudness): void => {
  const { volume, muted } = stored()
  if (typeof volume === 'number' && volume >= 0 && volume <= 1) video.volume = volume
  video.muted = muted === true
}

export const rememberLoudness = ({ volume, muted }: Loudness): void => remember(MEMORY, JSON.stringify({ volume, muted }))
