import type { Accessor } from 'solid-js'
import { createStore } from 'solid-js/store'
import { useUser } from './session.ts'

const [drafts, setDrafts] = createStore<Record<string, string | undefined>>({})

// Another site, a reload, a closed tab: the browser asks in its own words.
addEventListener('beforeunload', (event) => {
  if (Object.values(drafts).some((text) => text !== undefined)) event.preventDefault()
})

/** What somebody has typed about an item and not saved yet: it is there again when they come back to the item. */
export const createKeptDraft = (itemKey: Accessor<string>) => {
  const user = useUser()
  const name = () => `${user().id} ${itemKey()}`
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
