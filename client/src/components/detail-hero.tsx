import { FileX, Star } from 'lucide-solid'
import { children, createSignal, For, type JSX, Show } from 'solid-js'
import type { Item } from '../api/types.ts'
import { t } from '../i18n/details.ts'
import { formatDate, formatRating } from '../primitives/format.ts'
import { onChange } from '../primitives/on-change.ts'
import { pictureAt } from '../primitives/picture-source.ts'
import { LibraryAway } from './library-away.tsx'
import { PageHeading } from './page-header.tsx'
import { Picture } from './picture.tsx'

interface DetailHeroProps {
  item: Item
  /** Above the title: the series of an episode, the series of a game. */
  over?: JSX.Element
  posterUrl: string | null
  backdropUrl: string | null
  posterFallback: JSX.Element
  facts: readonly string[]
  /** A list of its own in place of the genres: its items, and what they are. */
  chips?: JSX.Element
  chipsLabel?: string
  actions?: JSX.Element
  /** Below the text. */
  tags?: JSX.Element
  text: string | null
}

/** The picture behind the head of a page; a backdrop that cannot be loaded leaves the plain background. */
const Backdrop = (props: { url: string | null; isBlurred: boolean }) => {
  const [isLoaded, setLoaded] = createSignal(false)
  onChange(
    () => props.url,
    () => setLoaded(false),
  )
  return (
    <div class="absolute inset-x-0 -top-16 -z-1 h-72 overflow-hidden sm:h-104" aria-hidden="true">
      <Show when={props.url}>
        {(url) => (
          <img
            src={pictureAt(url(), props.isBlurred ? 'small' : 'large')}
            alt=""
            decoding="async"
            onLoad={() => setLoaded(true)}
            class={`size-full object-cover object-top transition-opacity duration-500 ${props.isBlurred ? 'scale-125 blur-xl' : ''} ${isLoaded() ? (props.isBlurred ? 'opacity-40' : 'opacity-60') : 'opacity-0'}`}
          />
        )}
      </Show>
      <div class="absolute inset-0 bg-linear-to-b from-transparent to-bg" />
      <div class="absolute inset-0 bg-linear-to-r from-bg via-transparent to-transparent opacity-80" />
    </div>
  )
}

const Actions = (props: { children: JSX.Element }) => {
  // Asked for twice, they would be made twice.
  const actions = children(() => props.children)
  return (
    <Show when={actions()}>
      {/* As high as its buttons, of which some come later. */}
      <div class="flex min-h-11 flex-wrap items-center gap-3">{actions()}</div>
    </Show>
  )
}

/** The head of an item's page: backdrop, poster, title, facts, actions and text. */
export const DetailHero = (props: DetailHeroProps) => (
  <section class="relative isolate -mx-4 px-4 sm:-mx-6 sm:px-6 lg:-mx-8 lg:px-8">
    {/* Without a wide picture the poster lends its colours. */}
    <Backdrop url={props.backdropUrl ?? props.posterUrl} isBlurred={props.backdropUrl === null} />
    <div
      class={`grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-5 sm:grid-rows-[1fr_auto] sm:gap-x-8 sm:gap-y-4 ${props.backdropUrl ? 'pt-24 sm:pt-40' : 'pt-4 sm:pt-16'}`}
    >
      <Picture
        url={props.posterUrl}
        alternateUrl={props.item.thumbnailUrl}
        alt=""
        thumbhash={props.item.thumbhash}
        sizes="240px"
        isEager
        fallback={<div class="absolute inset-0 flex items-center justify-center text-muted">{props.posterFallback}</div>}
        class="aspect-2/3 w-[min(7rem,33vw)] self-start rounded-card shadow-raised ring-1 ring-line sm:row-span-2 sm:w-48 lg:w-60"
      />
      <div class="min-w-0 self-end">
        <Show when={props.over}>
          <p class="mb-1 text-small text-muted">{props.over}</p>
        </Show>
        <PageHeading class="text-h2 font-semibold text-balance sm:text-hero">{props.item.title}</PageHeading>
        <div class="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-small wrap-anywhere text-muted tabular-nums">
          <For each={props.facts}>{(fact) => <span>{fact}</span>}</For>
          <Show when={props.item.rating}>
            {(rating) => (
              <span class="inline-flex items-center gap-1 text-fg" title={t('item.rating', formatRating(rating()))}>
                <Star size={14} class="text-warning" fill="currentColor" aria-hidden="true" />
                <span class="sr-only">{t('item.rating', formatRating(rating()))}</span>
                <span aria-hidden="true">{formatRating(rating())}</span>
              </span>
            )}
          </Show>
        </div>
      </div>
      <div class="col-span-2 flex min-w-0 flex-col gap-4 sm:col-span-1">
        <Show when={props.chipsLabel ?? (props.item.genres?.length ? t('item.genres') : undefined)}>
          {(label) => (
            <ul class="flex flex-wrap gap-2" aria-label={label()}>
              <For each={props.item.genres}>
                {(genre) => <li class="rounded-pill border border-line bg-surface px-3 py-1 text-caption wrap-anywhere">{genre}</li>}
              </For>
              {props.chips}
            </ul>
          )}
        </Show>
        <LibraryAway libraryId={props.item.libraryId} />
        {/* Its files are gone, so that there is nothing to do with them. */}
        <Show when={props.item.missingSince} fallback={<Actions>{props.actions}</Actions>}>
          {(since) => (
            <p class="flex max-w-[70ch] items-start gap-3 rounded-card border border-line bg-surface p-4 text-small" role="note">
              <FileX size={18} class="mt-0.5 shrink-0 text-warning" aria-hidden="true" />
              {t('item.missing', formatDate(since()))}
            </p>
          )}
        </Show>
        <Show when={props.text}>{(text) => <p class="max-w-[70ch] text-body whitespace-pre-line">{text()}</p>}</Show>
        {props.tags}
      </div>
    </div>
  </section>
)
