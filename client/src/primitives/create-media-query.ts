import { type Accessor, createSignal } from 'solid-js'
import { listen } from './listen.ts'

/** Whether a media query holds, now and whenever that changes. */
export const createMediaQuery = (query: string): Accessor<boolean> => {
  const list = matchMedia(query)
  const [doesMatch, setMatch] = createSignal(list.matches)
  listen(list, { change: () => setMatch(list.matches) })
  return doesMatch
}

/** From this width on a panel stands beside the content, and below it rises over the content (UI.md, 1.5). */
export const SIDE_PANEL_QUERY = '(min-width: 52.5rem)'
