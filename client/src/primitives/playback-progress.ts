/** Remembers how far a video was watched. What was seen, the server decides. */

import { debounce } from '@solid-primitives/scheduled'
import { createEffect, createSignal, onCleanup, onMount, untrack } from 'solid-js'
import { resumePosition } from '../../../src/domain/progress.ts'
import { createRefresh } from './create-refresh.ts'
import { listen } from './listen.ts'
import { readProgress, saveSurely } from './saved-surely.ts'

const SAVE_EVERY_MS = 10_000
/** Whoever jumps about in it has arrived by then. A browser in a hurry does not ask a page that it leaves for anything more. */
const SAVE_AFTER_JUMP_MS = 1000
/** More than it plays on between two looks. */
const JUMP_SECONDS = 5
/** How long the offer to begin again stands over the picture. */
const OFFER_MS = 8000
/** What ends this soon after the saved position begins anew, unless another part follows. Seconds. */
const TOO_NEAR_THE_END_SECONDS = 5

interface PlaybackProgressOptions {
  /** It may move while it is watched. */
  item: () => { itemKey: string; libraryId: number; file?: string | undefined }
  video: () => HTMLVideoElement
  /** Seconds; where to begin instead of the saved position. */
  startAt: () => number | undefined
}

export const createPlaybackProgress = ({ item: itemOf, video, startAt }: PlaybackProgressOptions) => {
  let item = untrack(itemOf)
  // An effect, which no longer runs for a video that is left: the next one must not get its position.
  createEffect(() => {
    item = itemOf()
  })
  const refresh = createRefresh()
  const [resumedAt, setResumedAt] = createSignal<number>()
  let savedAt = Date.now()
  /** One that could not be read is not written over. */
  let isKnown = false
  let saved: Promise<unknown> | undefined
  const endOfferLater = debounce(() => setResumedAt(undefined), OFFER_MS)
  // The element is gone by the time that cleanups run, its last position is needed then.
  let last = { position: 0, duration: 0 }
  /** Of the position. Nobody who has stood still since tells it once more: they may have gone on with another device. */
  let told = 0

  const save = () => {
    const { position, duration } = last
    if (!isKnown || position === told || !Number.isFinite(duration)) return
    told = position
    savedAt = Date.now()
    const { itemKey, libraryId, file } = item
    saved = saveSurely(itemKey, { file, positionSeconds: position, durationSeconds: duration }, () => refresh(libraryId))
  }

  const saveLater = debounce(save, SAVE_AFTER_JUMP_MS)

  const resume = async () => {
    const asked = startAt()
    if (asked !== undefined) {
      isKnown = true
      video().currentTime = asked
      return
    }
    savedAt = Date.now()
    const progress = await readProgress(item.itemKey, item.file).catch(() => undefined)
    isKnown = progress !== undefined
    const latest = video().duration - TOO_NEAR_THE_END_SECONDS
    const position = progress?.file ? Math.min(resumePosition(progress), latest) : resumePosition(progress)
    if (position <= video().currentTime || position > latest) return
    video().currentTime = position
    setResumedAt(position)
    endOfferLater()
  }

  const note = () => {
    const { currentTime, duration } = video()
    if (currentTime <= 0) return
    if (last.position > 0 && Math.abs(currentTime - last.position) > JUMP_SECONDS) saveLater()
    last = { position: currentTime, duration }
  }
  /** Whoever has just gone elsewhere in it is told of a moment later. */
  const saveLeft = () => {
    note()
    save()
  }

  onMount(() => listen(window, { pagehide: saveLeft }))
  onCleanup(() => {
    save()
    void saved?.then(() => refresh(item.libraryId))
  })

  return {
    /** Where it went on instead of beginning; for as long as beginning anew is offered. */
    resumedAt,
    startOver: () => {
      setResumedAt(undefined)
      video().currentTime = 0
    },
    save,
    resume,
    onTimeUpdate: () => {
      note()
      if (Date.now() - savedAt >= SAVE_EVERY_MS) void (isKnown ? save() : resume())
    },
  }
}
