/** The language of a track that somebody chose in the player: the next video begins with it, on every device. */

import { useQueryClient } from '@tanstack/solid-query'
import type { UserSettings } from '../../../src/domain/user-settings.ts'
import { queryKeys } from '../api/query-keys.ts'
import { changeUserSettings } from '../api/user-settings.ts'
import { notifyError } from './notify.ts'

interface Track {
  language: string | null
}

/** What was chosen so far is kept: each choice waits for those before it, so that the last one is what stays. */
let kept: Promise<unknown> = Promise.resolve()

export const createTrackLanguage = (setting: 'audioLanguage' | 'subtitleLanguage') => {
  const client = useQueryClient()
  /** Undefined: none at all was chosen. */
  return (track: Track | undefined): void => {
    // A track that does not say its language tells nothing about what to begin with next time.
    if (track && track.language === null) return
    const changes: Partial<UserSettings> = { [setting]: track?.language ?? null }
    client.setQueryData(queryKeys.userSettings, (known: UserSettings | undefined) => known && { ...known, ...changes })
    kept = kept
      .then(() => changeUserSettings(changes))
      .catch((error: unknown) => {
        notifyError(error)
        // What was refused is not what the next video begins with; what was chosen after it may be.
        void kept.then(() => client.invalidateQueries({ queryKey: queryKeys.userSettings }))
      })
  }
}
