/** What a level of a library is narrowed down by: a part of the title, tags, that there are none, what is not finished yet, and kinds of files, all of it in the address. */

import { type Accessor, createEffect } from 'solid-js'
import type { LevelQuery } from '../api/browse.ts'
import { t } from '../i18n/filters.ts'
import { createFacets } from './create-facets.ts'
import { createSearchText } from './create-search-text.ts'
import { createUrlState } from './create-url-state.ts'
import { type FileChoice, filesIn } from './file-choice.ts'
import { createFilterPanelState } from './filter-panel-state.ts'
import { notify } from './notify.ts'
import { createTagFilter, filterIn } from './tag-filter.ts'
import type { TagState } from './tag-ids.ts'

interface FilterOptions {
  /** The start of what is filtered; without it the start of the page. */
  start?: () => HTMLElement | undefined
}

/** Whoever is further down than the start of a list would look at the middle of another one. */
const scrollToStart = (start: HTMLElement | undefined) => {
  if (!start) window.scrollTo({ top: 0 })
  else if (start.getBoundingClientRect().top < 0) start.scrollIntoView({ block: 'start' })
}

export const createFilters = (level: Accessor<LevelQuery>, options: FilterOptions = {}) => {
  const url = createUrlState()
  const text = createSearchText('q')
  const tags = createTagFilter()
  const panel = createFilterPanelState()
  const toStart = () => scrollToStart(options.start?.())
  const query = () => filterIn(url.get, tags.filter())
  const files = () => filesIn(url.get)
  const hasTags = () => url.get('tags') !== '' || url.get('not') !== ''
  const tagCount = () => tags.filter().included.length + tags.filter().excluded.length
  const facets = createFacets(
    () => ({ ...level(), ...query() }),
    () => panel.isOpen() || hasTags(),
  )
  createEffect(() => {
    if (!facets.isCurrent() || !hasTags()) return
    const dropped = tags.dropUnknown((id) => facets.find(id) !== undefined)
    if (dropped > 0) notify(t('filters.dropped', dropped))
  })
  return {
    panel,
    facets,
    level,
    query,
    q: () => query().q,
    tags: tags.filter,
    stateOf: tags.stateOf,
    setTag: (id: number, state: TagState) => {
      toStart()
      tags.set(id, state)
    },
    toggle: (what: 'unfinished' | 'untagged') => {
      toStart()
      url.change({ [what]: query()[what] ? null : '1' })
    },
    files,
    toggleFiles: (choice: FileChoice) => {
      toStart()
      url.change({ files: (files().includes(choice) ? files().filter((chosen) => chosen !== choice) : [...files(), choice]).join() })
    },
    search: {
      text: text.text,
      type: (value: string) => {
        toStart()
        text.type(value)
      },
      clear: text.clear,
    },
    /** How many things narrow the level down. */
    count: () => tagCount() + files().length + Number(query().q !== '') + Number(query().unfinished) + Number(query().untagged),
    clear: () => {
      toStart()
      text.clearWith({ tags: null, not: null, unfinished: null, untagged: null, files: null })
    },
  }
}

export type Filters = ReturnType<typeof createFilters>
