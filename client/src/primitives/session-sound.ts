/** Whether videos in scroll-through are heard: chosen once, it holds for this visit. */

import { createSignal } from 'solid-js'
import { userSettingsQuery } from '../api/user-settings.ts'
import { createQuery } from './create-query.ts'

const [chosen, setChosen] = createSignal<boolean>()

export const createSessionSound = () => {
  const settings = createQuery(() => userSettingsQuery)
  const isMuted = (): boolean => chosen() ?? settings.data?.scrollMuted ?? true
  return { isMuted, setMuted: (isOff: boolean) => setChosen(isOff) }
}
