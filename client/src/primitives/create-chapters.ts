/** The chapters of a video: marked on its time range, the one that plays, and the ways to others. */

import { type Accessor, createEffect } from 'solid-js'
import type { Playback } from '../api/playback.ts'
import { t } from '../i18n/viewers.ts'

type Chapter = Playback['chapters'][number]

interface ChapterOptions {
  video: () => HTMLVideoElement
  chapters: Accessor<readonly Chapter[]>
  /** Seconds, like the duration, which is 0 until it is known. */
  position: Accessor<number>
  duration: Accessor<number>
}

/** Further than this into a chapter, the way back leads to its own beginning. */
const RESTART_SECONDS = 3
/** Browsers stop a little before or behind what they were told to go to. */
const NEARLY_SECONDS = 0.2

/** What cues hold is markup. */
const asMarkup = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

export const createChapters = ({ video, chapters, position, duration }: ChapterOptions) => {
  // One alone divides nothing.
  const list = () => (chapters().length > 1 ? chapters() : [])
  const nameOf = (index: number): string => list()[index]?.title ?? t('watch.chapterNumber', index + 1)
  const goTo = (index: number): string | undefined => {
    const chapter = list()[index]
    if (!chapter) return undefined
    video().currentTime = chapter.startSeconds
    return nameOf(index)
  }
  const currentIndex = () => list().findLastIndex(({ startSeconds }) => startSeconds <= position() + NEARLY_SECONDS)
  let track: TextTrack | undefined
  createEffect(() => {
    if (!track && list().length === 0) return
    track ??= video().addTextTrack('chapters')
    for (const cue of [...(track.cues ?? [])]) track.removeCue(cue)
    for (const [index, { startSeconds }] of list().entries())
      track.addCue(new VTTCue(startSeconds, list()[index + 1]?.startSeconds ?? duration(), asMarkup(nameOf(index))))
    // The time range looks again at a change of tracks, and at no change of cues.
    track.mode = 'disabled'
    track.mode = 'hidden'
  })
  return {
    list,
    nameOf,
    /** -1 before the first one, and where there are none. */
    currentIndex,
    /** Answers the name of the chapter; nothing where there is none. */
    goTo,
    step: (by: 1 | -1): string | undefined => {
      const { currentTime } = video()
      const index =
        by === 1
          ? list().findIndex(({ startSeconds }) => startSeconds > currentTime + NEARLY_SECONDS)
          : list().findLastIndex(({ startSeconds }) => startSeconds <= Math.max(0, currentTime - RESTART_SECONDS))
      return goTo(index)
    },
  }
}

export type Chapters = ReturnType<typeof createChapters>
