import { A } from '@solidjs/router'
import { Show } from 'solid-js'
import type { SearchEntry } from '../../api/types.ts'
import { Highlighted } from '../../components/highlighted.tsx'
import { Picture } from '../../components/picture.tsx'
import { ItemIcon } from '../../components/type-icon.tsx'
import { t } from '../../i18n/searching.ts'
import { entryFacts } from '../../primitives/entry-facts.ts'
import { entryPath, openedState } from '../../primitives/paths.ts'

/** The title is whole here, with the year that it ends in. */
const factsOf = (entry: SearchEntry) => entryFacts(entry).filter((fact) => !entry.title.endsWith(`(${fact})`))

/** One thing that was found, and where in it. */
export const SearchRow = (props: { entry: SearchEntry }) => (
  <li>
    <A
      href={entryPath(props.entry)}
      state={openedState(props.entry)}
      data-item-key={props.entry.itemKey}
      title={props.entry.title}
      class="group flex items-center gap-3 rounded-card p-2 transition-colors hover:bg-surface sm:gap-4"
    >
      <Picture
        url={props.entry.thumbnailUrl ?? props.entry.coverUrl}
        alternateUrl={props.entry.coverUrl}
        alt=""
        thumbhash={props.entry.thumbhash}
        sizes="64px"
        fallback={
          <div class="absolute inset-0 flex items-center justify-center text-muted">
            <ItemIcon itemType={props.entry.itemType} mediaKind={props.entry.mediaKind} size={22} />
          </div>
        }
        class={`h-18 shrink-0 self-start rounded-chip ring-1 ring-line ${props.entry.itemType === 'mixed_file' || props.entry.itemType === 'tv_episode' ? 'w-18' : 'w-12'}`}
      />
      <span class="min-w-0 grow">
        <span class="line-clamp-2 font-semibold transition-colors group-hover:text-accent max-sm:text-small sm:line-clamp-1">
          <Show when={props.entry.matchedIn === 'title' && props.entry.snippet} fallback={props.entry.title}>
            {(snippet) => <Highlighted text={snippet().text} ranges={snippet().ranges} />}
          </Show>
        </span>
        <Show when={factsOf(props.entry).length > 0}>
          <span class="block truncate text-caption text-muted tabular-nums">{factsOf(props.entry).join(' · ')}</span>
        </Show>
        <Show when={props.entry.matchedIn !== 'title' && props.entry.snippet}>
          {(snippet) => (
            <span class="mt-1 line-clamp-2 text-small text-muted">
              <span class="mr-2 rounded-chip bg-raised px-1 text-caption text-fg">{t(`search.matchedIn.${props.entry.matchedIn}`)}</span>
              <Highlighted text={snippet().text} ranges={snippet().ranges} />
            </span>
          )}
        </Show>
      </span>
    </A>
  </li>
)
