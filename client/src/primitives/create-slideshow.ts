import { type Accessor, createEffect, createMemo, createSignal, onCleanup } from 'solid-js'

export const SLIDE_MS = 5000

interface SlideshowOptions {
  /** Changes with what is shown: each gets its whole time. */
  key: Accessor<unknown>
  /** Something that ends by itself turns on by itself: a video, and sound. */
  isTimed: Accessor<boolean>
  hasNext: Accessor<boolean>
  onNext: () => void
}

/** Turns on by itself, until the last one or until it is told to stop. */
export const createSlideshow = ({ key, isTimed, hasNext, onNext }: SlideshowOptions) => {
  const [isRunning, setRunning] = createSignal(false)
  const turn = () => {
    if (hasNext()) onNext()
    else setRunning(false)
  }
  const shown = createMemo(key)
  /** What was to end by itself, and cannot be played. */
  const [unplayable, setUnplayable] = createSignal<unknown>()
  const hasTime = createMemo(() => isTimed() || (unplayable() !== undefined && unplayable() === shown()))
  createEffect(() => {
    shown()
    if (!isRunning() || !hasTime()) return
    const timer = setTimeout(turn, SLIDE_MS)
    onCleanup(() => clearTimeout(timer))
  })
  return {
    isRunning,
    toggle: () => setRunning(!isRunning()),
    stop: () => setRunning(false),
    /** The video or the sound that is shown cannot be played: it is gone past like a picture. */
    onUnplayable: () => {
      setUnplayable(shown)
    },
    /** The video or the sound that was shown is over. */
    onEnded: () => {
      if (isRunning()) turn()
    },
  }
}
