import { type Accessor, createEffect, on } from 'solid-js'
import { createStore } from 'solid-js/store'
import { getItem } from '../api/items.ts'
import { useUser } from './session.ts'

const [drafts, setDrafts] = createStore<Record<string, string | undefined>>({})

// Another site, a reload, a closed tab: the browser asks in its own words.
addEventListener('beforeunload', (event) => {
  if (Object.values(drafts).some((text) => text !== undefined)) event.preventDefault()
})

/** What has moved on disk since is the same item by another key. */
const followMoved = async (name: string, prefix: string): Promise<void> => {
  // Without an answer it stays where it is.
  const item = await getItem(name.slice(prefix.length)).catch(() => undefined)
  const moved = item && prefix + item.itemKey
  if (moved && moved !== name && drafts[moved] === undefined) setDrafts({ [moved]: drafts[name], [name]: undefined })
}

/** What somebody has typed about an item and not saved yet: it is there again when they come back to the item. */
export const createKeptDraft = (itemKey: Accessor<string>) => {
  const user = useUser()
  const prefix = () => `${user().id} `
  const name = () => prefix() + itemKey()
  createEffect(
    on(name, (own) => {
      const others = Object.keys(drafts).filter((other) => other !== own && other.startsWith(prefix()))
      for (const other of others) void followMoved(other, prefix())
    }),
  )
  return {
    draft: () => drafts[name()],
    setDraft: (text: string | undefined) => setDrafts(name(), text),
    /** What is typed while it is on its way is not saved yet. */
    saveDraft: async (save: (text: string) => Promise<boolean>) => {
      const own = name()
      const sent = drafts[own]
      if (sent !== undefined && (await save(sent)) && drafts[own] === sent) setDrafts(own, undefined)
    },
  }
}
