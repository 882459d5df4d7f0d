import {
  ArrowLeft,
  BookOpen,
  ChevronLeft,
  ChevronRight,
  ChevronsLeft,
  ChevronsRight,
  CircleQuestionMark,
  Columns2,
  Expand,
  GalleryHorizontalEnd,
  Settings2,
} from 'lucide-solid'
import { type JSX, Show } from 'solid-js'
import type { BrowseEntry, Tag } from '../../api/types.ts'
import { IconButton, IconLink } from '../../components/icon-button.tsx'
import { t } from '../../i18n/reader.ts'
import { readPath } from '../../primitives/paths.ts'
import { seriesPart } from '../../primitives/series-part.ts'
import { volumeName } from '../../primitives/volume-name.ts'

const BAR =
  'absolute inset-x-0 z-20 bg-bg/90 text-fg transition-[translate,visibility] duration-200 motion-reduce:transition-none backdrop-blur-md'

interface TopBarProps {
  isShown: boolean
  title: string
  series: string | undefined
  /** Between the two. */
  folder: string | undefined
  tags?: readonly Pick<Tag, 'name'>[]
  upPath: string
  onUp: (event: MouseEvent) => void
  children?: JSX.Element
}

/** Slides in over the page. */
export const ReaderTopBar = (props: TopBarProps) => (
  <header
    inert={!props.isShown}
    class={`${BAR} top-0 flex min-h-14 flex-wrap items-center justify-end gap-x-3 safe-px-2 ${props.isShown ? '' : 'invisible -translate-y-full'}`}
  >
    <IconLink size="large" href={props.upPath} replace onClick={(event) => props.onUp(event)} label={t('action.back')}>
      <ArrowLeft size={22} />
    </IconLink>
    {/* Where large text leaves it no room beside them, the tools go below. */}
    <div class="min-w-20 grow basis-0">
      <p class="line-clamp-2 text-small leading-4 font-semibold" aria-hidden="true">
        {props.title.slice(seriesPart(props.title, props.series ?? '').length)}
      </p>
      <p class="truncate text-caption text-muted">
        {[props.series, props.folder].filter(Boolean).join(' · ')}
        <span class="max-sm:hidden">{props.tags?.map(({ name }) => ` · ${name}`).join('')}</span>
      </p>
    </div>
    {props.children}
  </header>
)

interface ToolsProps {
  canDouble: boolean
  isDouble: boolean
  isStripShown: boolean
  onDouble: () => void
  onStrip: () => void
  onSettings: () => void
  onFullscreen: () => void
  onHelp: () => void
}

/** What changes how pages are shown. */
export const ReaderTools = (props: ToolsProps) => (
  <div class="flex shrink-0 items-center">
    <Show when={props.canDouble}>
      <IconButton label={t('reader.doublePage')} aria-pressed={props.isDouble} onClick={() => props.onDouble()}>
        <Columns2 size={20} class={props.isDouble ? 'text-accent' : ''} />
      </IconButton>
    </Show>
    <IconButton label={t('reader.strip')} aria-pressed={props.isStripShown} onClick={() => props.onStrip()}>
      <GalleryHorizontalEnd size={20} class={props.isStripShown ? 'text-accent' : ''} />
    </IconButton>
    <Show when={document.fullscreenEnabled}>
      <IconButton label={t('reader.fullscreen')} class="max-sm:hidden" onClick={() => props.onFullscreen()}>
        <Expand size={20} />
      </IconButton>
    </Show>
    <IconButton label={t('reader.help')} class="max-sm:hidden" onClick={() => props.onHelp()}>
      <CircleQuestionMark size={20} />
    </IconButton>
    <IconButton label={t('reader.settings')} onClick={() => props.onSettings()}>
      <Settings2 size={20} />
    </IconButton>
  </div>
)

interface BottomBarProps {
  isShown: boolean
  isRightToLeft: boolean
  /** From 1. */
  page: number
  count: number
  previous: BrowseEntry | undefined
  next: BrowseEntry | undefined
  onPage: (page: number) => void
  onTurn: (by: 1 | -1) => void
  onGoTo: () => void
  strip: JSX.Element
}

const VolumeLink = (props: { volume: BrowseEntry | undefined; label: (title: string) => string; icon: JSX.Element }) => (
  <Show when={props.volume} fallback={<span class="size-target-large shrink-0" />}>
    {(volume) => (
      <IconLink href={readPath(volume().itemKey)} replace label={props.label(volumeName(volume()))}>
        {props.icon}
      </IconLink>
    )}
  </Show>
)

/** The slider of pages with its neighbours; from right to left everything lies the other way round. */
export const ReaderBottomBar = (props: BottomBarProps) => {
  const left = (isFar: boolean) => (isFar ? <ChevronsLeft size={20} /> : <ChevronLeft size={20} />)
  const right = (isFar: boolean) => (isFar ? <ChevronsRight size={20} /> : <ChevronRight size={20} />)
  const forward = (isFar: boolean) => (props.isRightToLeft ? left(isFar) : right(isFar))
  const back = (isFar: boolean) => (props.isRightToLeft ? right(isFar) : left(isFar))
  return (
    <footer inert={!props.isShown} class={`${BAR} bottom-0 safe-pb-0 ${props.isShown ? '' : 'invisible translate-y-full'}`}>
      {props.strip}
      <div class={`mx-auto flex h-14 max-w-240 items-center gap-1 safe-px-2 ${props.isRightToLeft ? 'flex-row-reverse' : ''}`}>
        <VolumeLink volume={props.previous} label={(title) => t('reader.previousVolume', title)} icon={back(true)} />
        <IconButton label={t('reader.previous')} disabled={props.page === 1} onClick={() => props.onTurn(-1)}>
          {back(false)}
        </IconButton>
        <input
          type="range"
          min={1}
          max={props.count}
          value={props.page}
          dir={props.isRightToLeft ? 'rtl' : 'ltr'}
          aria-label={t('reader.page')}
          aria-valuetext={t('reader.pageOf', props.page, props.count)}
          onInput={(event) => props.onPage(Number(event.currentTarget.value) - 1)}
          class="h-target-small min-w-0 grow accent-accent"
        />
        <IconButton label={t('reader.next')} disabled={props.page === props.count} onClick={() => props.onTurn(1)}>
          {forward(false)}
        </IconButton>
        <VolumeLink volume={props.next} label={(title) => t('reader.nextVolume', title)} icon={forward(true)} />
      </div>
      <div class="flex justify-center pb-2">
        <button
          type="button"
          onClick={() => props.onGoTo()}
          title={t('reader.goTo')}
          class="inline-flex h-target-small items-center gap-2 rounded-pill px-4 text-caption text-muted tabular-nums hover:bg-raised hover:text-fg"
        >
          <BookOpen size={14} aria-hidden="true" />
          {t('reader.pageOf', props.page, props.count)}
        </button>
      </div>
    </footer>
  )
}
