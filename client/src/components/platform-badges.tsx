import { For } from 'solid-js'
import type { BrowseEntry } from '../api/types.ts'
import { PlatformIcon } from './platform-icon.tsx'

/** Which systems a game runs on, in the corner of its card. */
export const PlatformBadges = (props: { platforms: NonNullable<BrowseEntry['platforms']> }) => (
  <span class="absolute top-2 left-2 flex gap-1 rounded-chip bg-scrim p-1 text-[#fff]">
    <For each={props.platforms}>{(platform) => <PlatformIcon platform={platform} size={14} />}</For>
  </span>
)
