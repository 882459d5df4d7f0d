import { A } from '@solidjs/router'
import { ChevronDown, Play, RefreshCw, Tv } from 'lucide-solid'
import { createSignal, onCleanup, Show } from 'solid-js'
import type { BrowseEntry } from '../../api/types.ts'
import { AiFieldsButton } from '../../components/ai-fields-button.tsx'
import { DownloadButton } from '../../components/download-button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Picture } from '../../components/picture.tsx'
import { TagsButton } from '../../components/tags-button.tsx'
import { WatchedMark } from '../../components/watched-button.tsx'
import { t } from '../../i18n/details.ts'
import { createNfoRefresh } from '../../primitives/create-nfo-refresh.ts'
import { partText, progressFraction } from '../../primitives/entry-facts.ts'
import { formatBytes, formatRuntime } from '../../primitives/format.ts'
import { watchPath } from '../../primitives/paths.ts'
import { createCan } from '../../primitives/session.ts'

/** "3", "3-4" for a double episode; nothing where the file name tells no number. */
const numberOf = ({ episodeNumber, episodeNumberEnd }: BrowseEntry): string | undefined => {
  if (episodeNumber === null) return undefined
  return episodeNumberEnd === null || episodeNumberEnd === episodeNumber ? String(episodeNumber) : `${episodeNumber}-${episodeNumberEnd}`
}

/** Whether some of a text is not seen, as long as it is not whole: on a phone there is nothing of it, and elsewhere two lines. */
const createCut = () => {
  const [isCut, setCut] = createSignal(false)
  const watch = (text: HTMLElement) => {
    const observer = new ResizeObserver(() => setCut(text.clientHeight === 0 || text.scrollHeight > text.clientHeight))
    observer.observe(text)
    onCleanup(() => observer.disconnect())
  }
  return { isCut, watch }
}

export const EpisodeRow = (props: { episode: BrowseEntry }) => {
  const can = createCan()
  const nfo = createNfoRefresh(() => props.episode)
  const [isWhole, setWhole] = createSignal(false)
  const plot = createCut()
  const facts = () =>
    [
      props.episode.durationSeconds ? formatRuntime(props.episode.durationSeconds / 60) : '',
      props.episode.size === null ? '' : formatBytes(props.episode.size),
    ].filter((fact) => fact !== '')
  return (
    <li class="group @container flex flex-wrap items-start gap-1 rounded-card transition-colors hover:bg-surface sm:pr-2">
      <A
        href={watchPath(props.episode.itemKey)}
        data-item-key={props.episode.itemKey}
        class={`flex min-w-0 grow basis-full gap-3 rounded-card pt-2 @min-[44rem]:basis-0 sm:gap-4 sm:p-2 ${isWhole() ? 'sm:items-start' : 'items-center'}`}
      >
        <div class="relative w-24 shrink-0 overflow-hidden rounded-card ring-1 ring-line sm:w-48">
          <Picture
            url={props.episode.thumbnailUrl}
            alt=""
            thumbhash={props.episode.thumbhash}
            sizes="192px"
            fallback={
              <div class="absolute inset-0 flex items-center justify-center text-muted">
                <Tv size={28} aria-hidden="true" />
              </div>
            }
            class="aspect-16/9 w-full"
          />
          <span
            class="absolute inset-0 flex items-center justify-center opacity-0 transition-opacity group-hover:opacity-100 group-focus-visible:opacity-100"
            aria-hidden="true"
          >
            <span class="flex size-10 items-center justify-center rounded-pill bg-scrim text-[#fff]">
              <Play size={18} fill="currentColor" />
            </span>
          </span>
          <Show when={progressFraction(props.episode)}>
            {(fraction) => (
              <span
                class="absolute inset-x-0 bottom-0 h-1 bg-scrim"
                role="img"
                aria-label={partText(fraction())}
                title={partText(fraction())}
              >
                <span class="block h-full bg-accent" style={{ width: `${fraction() * 100}%` }} />
              </span>
            )}
          </Show>
        </div>
        <div class="min-w-0">
          <p class="flex items-baseline gap-2 font-semibold transition-colors group-hover:text-accent">
            <Show when={numberOf(props.episode)}>
              <span class="shrink-0 text-muted tabular-nums">{numberOf(props.episode)}.</span>
            </Show>
            <span class="line-clamp-3 min-w-0 max-sm:text-small">{props.episode.title}</span>
          </p>
          <p class="mt-1 text-small text-muted tabular-nums">{facts().join(' · ')}</p>
          <Show when={props.episode.plot}>
            {(text) => (
              <p
                ref={plot.watch}
                class={`mt-1 max-w-[70ch] text-small text-muted max-sm:hidden ${isWhole() ? 'whitespace-pre-line' : 'line-clamp-2'}`}
              >
                {text()}
              </p>
            )}
          </Show>
        </div>
      </A>
      {/* Where there is room, in the middle beside the picture, wherever the text ends: what unfolds it stays under the pointer. */}
      <div class="-mt-1 flex w-full shrink-0 justify-end @min-[44rem]:mt-10.5 @min-[44rem]:w-auto">
        <Show when={props.episode.plot && (isWhole() || plot.isCut())}>
          <IconButton label={t('tv.plotOf', props.episode.title)} aria-expanded={isWhole()} onClick={() => setWhole(!isWhole())}>
            <ChevronDown size={18} class={`transition-transform ${isWhole() ? 'rotate-180' : ''}`} />
          </IconButton>
        </Show>
        <TagsButton item={props.episode} />
        <AiFieldsButton item={props.episode} />
        <DownloadButton item={props.episode} />
        <WatchedMark entry={props.episode} />
        <Show when={can('editMetadata')}>
          <IconButton label={t('nfo.refreshOf', props.episode.title)} disabled={nfo.isBusy()} onClick={nfo.start}>
            <RefreshCw size={18} class={nfo.isBusy() ? 'animate-spin' : ''} />
          </IconButton>
        </Show>
      </div>
      <Show when={isWhole() && props.episode.plot}>
        {(text) => <p class="w-full pb-2 text-small whitespace-pre-line text-muted sm:hidden">{text()}</p>}
      </Show>
      <Show when={nfo.problem()}>
        <div class="w-full px-2 pb-2">
          <FormError text={nfo.problem()} />
        </div>
      </Show>
    </li>
  )
}
