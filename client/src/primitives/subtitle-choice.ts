import { useQueryClient } from '@tanstack/solid-query'
import { onCleanup } from 'solid-js'
import type { UserSettings } from '../../../src/domain/user-settings.ts'
import { queryKeys } from '../api/query-keys.ts'
import { changeUserSettings, getUserSettings } from '../api/user-settings.ts'
import { createQuery } from './create-query.ts'
import { notifyError } from './notify.ts'

/** The language of subtitles, kept for the account as it is chosen in the player. */
export const createSubtitleSetting = (video: () => HTMLVideoElement) => {
  const client = useQueryClient()
  const settings = createQuery(() => ({ queryKey: queryKeys.userSettings, queryFn: getUserSettings }))
  const language = () => (settings.isSuccess ? (settings.data?.subtitleLanguage ?? null) : null)
  const keep = async (chosen: string | null) => {
    client.setQueryData(queryKeys.userSettings, (known: UserSettings | undefined) => known && { ...known, subtitleLanguage: chosen })
    await changeUserSettings({ subtitleLanguage: chosen })
  }
  const onChange = () => {
    const tracks = [...video().textTracks]
    const shown = tracks.find(({ mode }) => mode === 'showing')
    const chosen = shown?.language || null
    // Tracks that are still being added tell of a change as well, and a track without a language tells nothing.
    if (tracks.length > 0 && chosen !== language() && (shown === undefined || chosen !== null)) keep(chosen).catch(notifyError)
  }
  return {
    language,
    watch: () => {
      const { textTracks } = video()
      textTracks.addEventListener('change', onChange)
      onCleanup(() => textTracks.removeEventListener('change', onChange))
    },
  }
}
