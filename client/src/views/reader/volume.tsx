import { useNavigate } from '@solidjs/router'
import { createMemo, createSignal, Match, onMount, Show, Switch } from 'solid-js'
import { READER_FITS, type ReaderSettings, type ReadingDirection } from '../../../../src/domain/reader-settings.ts'
import type { MangaPages } from '../../api/manga.ts'
import type { SavedProgress } from '../../api/progress.ts'
import type { Item } from '../../api/types.ts'
import { AiFieldsButton } from '../../components/ai-fields-button.tsx'
import { DownloadButton } from '../../components/download-button.tsx'
import { KeyHelp } from '../../components/key-help.tsx'
import { late } from '../../components/late.tsx'
import { t } from '../../i18n/reader.ts'
import { createNote } from '../../primitives/create-note.ts'
import type { ReaderControl } from '../../primitives/create-reader-settings.ts'
import { createReaderWindow } from '../../primitives/create-reader-window.ts'
import { createVolumePages } from '../../primitives/create-volume-pages.ts'
import { createEndConfirmation, type End } from '../../primitives/end-confirmation.ts'
import { folderFact } from '../../primitives/entry-facts.ts'
import { createIsAway } from '../../primitives/library-away.ts'
import { listen } from '../../primitives/listen.ts'
import { notify } from '../../primitives/notify.ts'
import { onChange } from '../../primitives/on-change.ts'
import { readPath } from '../../primitives/paths.ts'
import { READER_HELP, type ReaderAction, readerAction } from '../../primitives/reader-keys.ts'
import { pathBeyond } from '../../primitives/reader-pages.ts'
import { createReaderTouch } from '../../primitives/reader-touch.ts'
import { actionAt, zonesOf } from '../../primitives/reader-zones.ts'
import { createTapHint } from '../../primitives/tap-hint.ts'
import { toggleFullscreen } from '../../primitives/video-actions.ts'
import { volumeName } from '../../primitives/volume-name.ts'
import { EndCard } from './end-card.tsx'
import { GoToPage } from './go-to-page.tsx'
import { PageStrip } from './page-strip.tsx'
import { PagedStage } from './paged-stage.tsx'
import { ReaderBottomBar, ReaderTools, ReaderTopBar } from './reader-bars.tsx'
import { SettingsSheet } from './settings-sheet.tsx'
import type { Stage } from './stage.ts'
import { TapHint } from './tap-hint.tsx'
import { WebtoonStage } from './webtoon-stage.tsx'

// Nobody waits for it before the first page.
const TagsButton = late(async () => (await import('../../components/tags-button.tsx')).TagsButton)

interface VolumeProps {
  volume: Item
  manga: MangaPages
  begun: SavedProgress
  control: ReaderControl
  series: string | undefined
  upPath: string
  onUp: (event?: MouseEvent) => void
}

type Layer = 'settings' | 'goTo' | 'help'

const BACKGROUNDS: Record<ReaderSettings['background'], string> = { black: 'bg-stage', grey: 'bg-stage-grey', white: 'bg-stage-white' }
/** Of a window: what space and the page keys move on by keeps a line in sight. */
const SCREENFUL = 0.9

export const Volume = (props: VolumeProps) => {
  const navigate = useNavigate()
  const { isLandscape, width } = createReaderWindow()
  const isAway = createIsAway(() => props.volume.libraryId)
  const settings = () => props.control.settings()
  const direction = (): ReadingDirection => {
    const { mode } = settings()
    return mode === 'auto' ? props.manga.readingDirection : mode
  }
  const isAcross = () => direction() === 'rtl' || direction() === 'ltr'
  const isDouble = () => isAcross() && isLandscape() && settings().doublePage
  const shownWidth = () => (settings().fit === 'original' ? undefined : width())
  const [hasSeenEnd, setSeenEnd] = createSignal(false)
  const pages = createVolumePages({
    volume: props.volume,
    pages: () => props.manga.pages,
    begun: props.begun,
    direction,
    isDouble,
    hasSeenEnd: () => direction() !== 'webtoon' || hasSeenEnd(),
    coverAlone: () => settings().coverAlone,
    shownWidth,
  })
  const shownPages = createMemo(() => pages.shown().flatMap((index) => props.manga.pages[index] ?? []))

  const neighbourOf = (end: End) => (end === 'next' ? pages.next() : pages.previous())
  const ends = createEndConfirmation((end) => {
    const volume = neighbourOf(end)
    if (volume) navigate(pathBeyond(end, volume), { replace: true })
  })

  let root!: HTMLDivElement
  let stage: Stage | undefined
  const [layer, setLayer] = createSignal<Layer>()
  const [hasBars, setBars] = createSignal(true)
  const [hasStrip, setStrip] = createSignal(false)
  const note = createNote()

  const turn = (by: 1 | -1) => {
    const hasTurned = direction() === 'webtoon' ? (stage?.scrollOn(by * SCREENFUL) ?? false) : pages.turn(by)
    if (!hasTurned) return ends.press(by === 1 ? 'next' : 'previous')
    ends.forget()
    if (!hasStrip()) setBars(false)
  }
  const change = (changes: Partial<ReaderSettings>, word: string) => props.control.change(changes, () => note.show(word))
  const toggleDouble = () => {
    if (!isAcross()) return
    const doublePage = !settings().doublePage
    change({ doublePage }, doublePage && !isLandscape() ? t('reader.doubleInLandscape') : t(doublePage ? 'reader.two' : 'reader.one'))
  }
  const close = () => {
    if (ends.asked()) return ends.forget()
    if (hasStrip()) setStrip(false)
    else props.onUp()
  }
  const act = (action: ReaderAction): void => {
    switch (action.kind) {
      case 'forward':
        return turn(1)
      case 'back':
        return turn(-1)
      case 'first':
        return pages.turnTo(0)
      case 'last':
        return pages.turnTo(pages.count() - 1)
      case 'mode':
        return change({ mode: action.direction }, t(`reader.modes.${action.direction}`))
      case 'double':
        return toggleDouble()
      case 'fit': {
        const fit = READER_FITS[(READER_FITS.indexOf(settings().fit) + 1) % READER_FITS.length] ?? 'screen'
        return change({ fit }, t(`reader.fits.${fit}`))
      }
      case 'bars':
        setStrip(false)
        setBars((shown) => !shown)
        return
      case 'strip':
        setStrip((shown) => !shown)
        setBars(true)
        return
      case 'settings':
      case 'goTo':
      case 'help':
        setLayer(action.kind)
        return
      case 'fullscreen':
        // The whole client, so that dialogs and messages stay visible. Somebody may have forbidden it.
        void toggleFullscreen(document.body).catch(() => undefined)
        return
      case 'close':
        return close()
      default:
        return action satisfies never
    }
  }

  /** What a button of the bars has opened takes its keys itself. */
  const isCovered = () => layer() !== undefined || document.querySelector('[role=dialog]') !== null
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab') setBars(true)
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isCovered()) return
    // Letters mean what they mean everywhere; what presses a button or moves a slider does that.
    const isOnControl = event.target instanceof HTMLElement && event.target.matches('input, a, button')
    if (isOnControl && (event.key === ' ' || (event.key.length > 1 && event.key !== 'Escape'))) return
    runKey(event)
  }
  const runKey = (event: KeyboardEvent) => {
    const action = readerAction(event, direction())
    if (!action) return
    event.preventDefault()
    // A page that is larger than the window is read to its end before it is turned.
    const isScreenful = event.key === ' ' || event.key.startsWith('Page') || event.key === 'ArrowDown' || event.key === 'ArrowUp'
    if (isScreenful && direction() !== 'webtoon' && stage?.scrollOn(action.kind === 'forward' ? SCREENFUL : -SCREENFUL)) return
    // What turns pages goes on for as long as its key is held down; anything else is done once for each press.
    if (event.repeat && (ends.asked() || (action.kind !== 'forward' && action.kind !== 'back'))) return
    act(action)
  }

  const zones = createMemo(() => zonesOf(settings(), direction()))
  const isHinted = createTapHint(() => JSON.stringify(zones()))
  createReaderTouch(() => root, {
    onTap: (x, y) => {
      const action = actionAt(zones(), x, y)
      if (action === 'menu') act({ kind: 'bars' })
      else act({ kind: action })
    },
    onSwipe: (axis, step) => {
      if (direction() === 'webtoon' || (axis === 'x') !== isAcross() || stage?.isScrolledAcross()) return
      turn(direction() === 'rtl' ? (step === 1 ? -1 : 1) : step)
    },
  })
  onMount(() => listen(document, { keydown: onKeyDown }))
  onChange(isLandscape, (isWide) => {
    if (!isWide && isAcross() && settings().doublePage) notify(t('reader.doubleInLandscape'))
  })
  const setStage = (next: Stage) => {
    stage = next
  }

  return (
    <>
      <div ref={root} class={`absolute inset-0 ${BACKGROUNDS[settings().background]}`}>
        <Switch>
          <Match when={direction() === 'webtoon'}>
            <WebtoonStage
              pages={props.manga.pages}
              page={pages.page()}
              fit={settings().fit}
              sidePadding={settings().sidePadding}
              shownWidth={shownWidth()}
              onReach={pages.turnTo}
              onEnd={() => setSeenEnd(true)}
              onPull={() => pages.next() && navigate(readPath(pages.next()?.itemKey ?? ''), { replace: true })}
              ref={setStage}
              footer={(pulled) => (
                <div class="flex min-h-60 flex-col items-center justify-center gap-4 bg-bg px-4 pt-8 pb-32">
                  <EndCard end="next" title={volumeName(props.volume)} neighbour={pages.next()} upPath={props.upPath} onUp={props.onUp} />
                  <Show when={pages.next()}>
                    <div class="h-1 w-40 overflow-hidden rounded-pill bg-raised" aria-hidden="true">
                      <div class="h-full bg-accent" style={{ width: `${pulled() * 100}%` }} />
                    </div>
                    <p class="text-caption text-muted">{t('reader.pull')}</p>
                  </Show>
                </div>
              )}
            />
          </Match>
          <Match when={direction() !== 'webtoon'}>
            <PagedStage pages={shownPages()} direction={direction()} fit={settings().fit} shownWidth={shownWidth()} ref={setStage} />
          </Match>
        </Switch>
      </div>
      <ReaderTopBar
        isShown={hasBars()}
        title={props.volume.title}
        series={props.series}
        folder={folderFact(props.volume)}
        tags={props.volume.tags}
        upPath={props.upPath}
        onUp={props.onUp}
      >
        <TagsButton item={props.volume} isOverStage />
        <AiFieldsButton item={props.volume} isOverStage />
        <Show when={!isAway()}>
          <DownloadButton item={props.volume} class="max-sm:hidden" />
        </Show>
        <ReaderTools
          canDouble={isAcross() && isLandscape()}
          isDouble={settings().doublePage}
          isStripShown={hasStrip()}
          onDouble={toggleDouble}
          onStrip={() => act({ kind: 'strip' })}
          onSettings={() => setLayer('settings')}
          onFullscreen={() => act({ kind: 'fullscreen' })}
          onHelp={() => setLayer('help')}
        />
      </ReaderTopBar>
      <ReaderBottomBar
        isShown={hasBars()}
        isRightToLeft={direction() === 'rtl'}
        page={pages.page() + 1}
        count={pages.count()}
        previous={pages.previous()}
        next={pages.next()}
        onPage={pages.turnTo}
        onTurn={(by) => (direction() === 'webtoon' ? pages.turnTo(pages.page() + by) : pages.turn(by))}
        onGoTo={() => setLayer('goTo')}
        strip={
          <Show when={hasStrip()}>
            <PageStrip pages={props.manga.pages} shown={pages.shown()} isRightToLeft={direction() === 'rtl'} onSelect={pages.turnTo} />
          </Show>
        }
      />
      <p class="sr-only" aria-live="polite">
        {t('reader.pageOf', pages.page() + 1, pages.count())}
      </p>
      <Show when={isHinted()}>
        <TapHint zones={zones()} />
      </Show>
      <p
        aria-live="polite"
        class="pointer-events-none absolute top-20 left-1/2 z-10 -translate-x-1/2 rounded-card bg-scrim px-4 py-2 text-small whitespace-nowrap empty:hidden"
      >
        {note.text()}
      </p>
      <Show when={direction() !== 'webtoon' && ends.asked()}>
        {(end) => (
          <div class="absolute inset-x-0 bottom-32 z-10 flex justify-center px-4">
            <EndCard end={end()} title={volumeName(props.volume)} neighbour={neighbourOf(end())} upPath={props.upPath} onUp={props.onUp} />
          </div>
        )}
      </Show>
      <Show when={layer() === 'settings'}>
        <SettingsSheet volume={props.volume} control={props.control} direction={direction()} onClose={() => setLayer(undefined)} />
      </Show>
      <Show when={layer() === 'goTo'}>
        <GoToPage page={pages.page() + 1} count={pages.count()} onGo={pages.turnTo} onClose={() => setLayer(undefined)} />
      </Show>
      <Show when={layer() === 'help'}>
        <KeyHelp
          title={t('reader.help')}
          isOverStage
          rows={READER_HELP.map(({ help, keys }) => ({ keys, text: t(`reader.keys.${help}`) }))}
          onClose={() => setLayer(undefined)}
        />
      </Show>
    </>
  )
}
