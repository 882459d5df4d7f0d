import { useQueryClient } from '@tanstack/solid-query'
import { X } from 'lucide-solid'
import { leaveOutOfContinue, takeIntoContinue } from '../../api/progress.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { BrowseEntry } from '../../api/types.ts'
import { IconButton } from '../../components/icon-button.tsx'
import { Shelf } from '../../components/shelf.tsx'
import { t } from '../../i18n/home.ts'
import { t as markText } from '../../i18n/marks.ts'
import { onePress } from '../../primitives/create-row-focus.ts'
import { notifyDone, notifyError } from '../../primitives/notify.ts'
import { continuePath } from '../../primitives/paths.ts'
import { withSeriesPart } from '../../primitives/series-part.ts'

/** Whoever takes several out goes on from the card that follows; where there is none, from the top. */
const focusNeighbour = (button: HTMLElement) => {
  const card = button.closest('li')
  const next = card?.nextElementSibling ?? card?.previousElementSibling
  const target = next?.querySelector('button') ?? document.querySelector('h1')
  target?.focus()
}

/** What to go on with; what somebody has given up can be taken out. */
export const ContinueShelf = (props: { entries: readonly BrowseEntry[] }) => {
  const client = useQueryClient()
  /** The page of a series goes by this row too. */
  const again = (libraryId: number) =>
    Promise.all([queryKeys.continue, queryKeys.libraryContent(libraryId)].map((queryKey) => client.invalidateQueries({ queryKey })))
  const takeBack = async ({ itemKey, libraryId }: BrowseEntry) => {
    try {
      await takeIntoContinue(itemKey)
      await again(libraryId)
    } catch (error) {
      notifyError(error)
    }
  }
  const leaveOut = async (entry: BrowseEntry, button: HTMLElement) => {
    const { itemKey, libraryId, title, seriesTitle } = entry
    try {
      await leaveOutOfContinue(itemKey)
      // Whoever has gone elsewhere meanwhile stays there.
      if (document.activeElement === button) focusNeighbour(button)
      await again(libraryId)
      notifyDone(markText('marks.leftOut', seriesTitle ?? title), { label: markText('marks.undo'), run: () => void takeBack(entry) })
    } catch (error) {
      notifyError(error)
    }
  }
  return (
    <Shelf
      name="continue"
      isEager
      title={t('home.continue')}
      entries={props.entries.map((entry) => withSeriesPart(entry))}
      shape="wide"
      hrefOf={continuePath}
      cornerOf={(entry) => (
        <IconButton
          size="small"
          label={markText('marks.leaveOut', entry().seriesTitle ?? entry().title)}
          {...onePress(({ currentTarget }) => void leaveOut(entry(), currentTarget))}
          class="absolute top-1 right-0 opacity-0 transition-opacity hover:bg-transparent focus-visible:opacity-100 group-hover/card:opacity-100 pointer-coarse:opacity-100"
        >
          <span class="flex size-7 items-center justify-center rounded-pill bg-scrim text-[#fff]">
            <X size={16} />
          </span>
        </IconButton>
      )}
    />
  )
}
