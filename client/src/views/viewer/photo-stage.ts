/** PhotoSwipe as the engine of swipes, pinches and zoom inside our own dialog; nothing else knows of it (UI.md 2.2). */

import PhotoSwipe, { type PhotoSwipeEventsMap, type SlideData } from 'photoswipe'
import 'photoswipe/dist/photoswipe.css'
import '../../styles/viewer.css'
import { thumbhashBackground } from '../../primitives/thumbhash.ts'
import type { Slide } from './slide.ts'

/** Neighbours that are loaded ahead: backwards, forwards. */
const PRELOAD: [number, number] = [1, 2]
const ZOOM_STEP = 1.5
const ZOOM_MS = 200
/** The longest that systems wait for the second half of a double click. */
const DOUBLE_CLICK_MS = 500
/** Until a picture whose size nobody knows has arrived. Pixels. */
const UNKNOWN_SIZE = { width: 1600, height: 1200 }
/** What has gestures of its own. */
const OWN_GESTURES = '[data-controls], button, a, input, select, audio, textarea'

interface PhotoStageOptions {
  host: HTMLElement
  index: number
  count: () => number
  slideAt: (index: number) => Slide | undefined
  onMove: (index: number) => void
  onClose: () => void
  onBox: (box: StageBox | undefined) => void
}

/** The box of the slide that is looked at, for what is no picture; there is none for a picture. */
export interface StageBox {
  element: HTMLElement
  slide: Slide
  isBroken: boolean
}

interface SlideItem extends SlideData {
  slideKey?: string
  isUnmeasured?: boolean
}

interface Size {
  width: number
  height: number
}

type Content = PhotoSwipeEventsMap['contentActivate']['content']

/** What there is of a picture until it arrives: its blurred placeholder, in its place. */
const showPlaceholder = async (content: Content, thumbhash: string): Promise<void> => {
  const element = content.placeholder?.element
  const isWanted = () => content.placeholder?.element === element && content.isLoading()
  const background = await thumbhashBackground(thumbhash, isWanted)
  if (element && background && isWanted()) element.style.background = background
}

const toItem = (slide: Slide | undefined, measured: Size | undefined): SlideItem => {
  if (slide === undefined) return { html: '' }
  if (slide.kind !== 'image') return { html: '', slideKey: slide.key }
  const { width, height } = measured ?? slide
  return {
    src: slide.url,
    ...(slide.srcset && { srcset: slide.srcset }),
    ...(slide.smallUrl && { msrc: slide.smallUrl }),
    ...(width && height ? { width, height } : { ...UNKNOWN_SIZE, isUnmeasured: true }),
    alt: slide.title,
    slideKey: slide.key,
  }
}

export const createPhotoStage = (options: PhotoStageOptions) => {
  const { host, count, slideAt } = options
  const engine = new PhotoSwipe({
    appendToEl: host,
    index: options.index,
    loop: false,
    preload: PRELOAD,
    bgOpacity: 1,
    showHideAnimationType: 'none',
    trapFocus: false,
    returnFocus: false,
    escKey: false,
    arrowKeys: false,
    wheelToZoom: true,
    close: false,
    zoom: false,
    counter: false,
    arrowPrev: false,
    arrowNext: false,
    imageClickAction: 'zoom',
    bgClickAction: 'close',
    tapAction: () => undefined,
    doubleTapAction: 'zoom',
    // Pictures smaller than the screen are enlarged too: somebody may want to see a stamp.
    secondaryZoomLevel: ({ fit }) => Math.max(1, fit * 2),
    errorMsg: '',
    getViewportSizeFn: () => ({ x: host.clientWidth, y: host.clientHeight }),
  })
  /** Slides whose picture is shown as its fallback since the first address failed. */
  const fallenBack = new Set<string>()
  /** Pictures that did not come, and may have failed for want of a server. */
  const failed = new Set<number>()
  /** Those of them that were loaded once more when somebody came to them. */
  const tried = new Set<string>()
  const draw = (index: number) => {
    // The engine would only forget what stood there.
    engine.contentLoader.getContentByIndex(index)?.destroy()
    engine.refreshSlideContent(index)
  }
  const loadAgain = (index: number) => {
    const key = slideAt(index)?.key
    failed.delete(index)
    if (key !== undefined) fallenBack.delete(key)
    draw(index)
  }
  /** What pictures turned out to be whose size the index does not know. */
  const measured = new Map<string, Size>()
  engine.addFilter('numItems', count)
  engine.addFilter('itemData', (_, index) => {
    const slide = slideAt(index)
    const item = toItem(slide, slide && measured.get(slide.key))
    if (!slide?.fallbackUrl || !fallenBack.has(slide.key)) return item
    const { srcset: _unused, ...plain } = item
    return { ...plain, src: slide.fallbackUrl }
  })

  let told: HTMLElement | undefined
  const tellBox = (isBroken = false) => {
    const content = engine.currSlide?.content
    const element = content && (!content.isImageContent() || isBroken) ? content.element : undefined
    // What plays in a box must not begin anew because the same box is told of again.
    if (element === told) return
    told = element
    const slide = content && slideAt(content.index)
    options.onBox(slide && element ? { element, slide, isBroken } : undefined)
  }
  engine.on('initialLayout', () => {
    // The dialog around it has the role and the name.
    engine.element?.removeAttribute('role')
    engine.element?.removeAttribute('tabindex')
  })
  engine.on('change', () => {
    const content = engine.currSlide?.content
    const key = slideAt(engine.currIndex)?.key
    if (content?.isError()) failed.add(content.index)
    if (content?.isError() && key !== undefined && !tried.has(key)) {
      // It was loaded ahead, and what kept it then may have passed.
      tried.add(key)
      tellBox()
      queueMicrotask(() => loadAgain(content.index))
    } else tellBox(content?.isError() ?? false)
    if (engine.currIndex === shownIndex) return
    shownIndex = engine.currIndex
    options.onMove(shownIndex)
  })
  engine.on('contentActivate', (event) => {
    const { content } = event
    tellBox(content.isError())
    if (!content.isError()) return
    // The engine would load it once more, and take what comes for something that stands there already.
    event.preventDefault()
    content.slide?.holderElement?.setAttribute('aria-hidden', 'false')
  })
  /** Draws anew, in its own size, what has arrived. */
  const measure = ({ index, data, element }: Content) => {
    element?.classList.add('is-drawn')
    const slide = slideAt(index)
    // Drawings may have no size of their own: measured again and again, they would be drawn again and again.
    if (!slide || !(data as SlideItem).isUnmeasured || !(element instanceof HTMLImageElement) || !element.naturalWidth) return
    measured.set(slide.key, { width: element.naturalWidth, height: element.naturalHeight })
    queueMicrotask(() => draw(index))
  }
  // What is loaded so far ahead that it has no slide yet is not told of when it arrives.
  engine.on('afterSetContent', ({ slide: { content } }) => {
    if (content.state === 'loaded') measure(content)
  })
  engine.on('loadComplete', ({ content, isError }) => {
    const slide = slideAt(content.index)
    if (!isError) {
      failed.delete(content.index)
      if (slide) tried.delete(slide.key)
      measure(content)
      return
    }
    failed.add(content.index)
    if (slide?.fallbackUrl && !fallenBack.has(slide.key) && slide.fallbackUrl !== slide.url) {
      fallenBack.add(slide.key)
      queueMicrotask(() => draw(content.index))
    } else queueMicrotask(() => tellBox(engine.currSlide?.content.isError() ?? false))
  })
  engine.on('contentAppend', ({ content }) => {
    const thumbhash = slideAt(content.index)?.thumbhash
    if (thumbhash) void showPlaceholder(content, thumbhash)
  })
  engine.on('contentDestroy', ({ content: { element } }) => {
    // Chromium keeps a picture with a `srcset`, and this viewer with it, until it is taken out of the page: also one that was
    // loaded ahead and never came there. The engine takes it out.
    if (element && !element.isConnected) document.body.append(element)
  })
  engine.on('pointerDown', (event) => {
    if (event.originalEvent.composedPath().some((node) => node instanceof Element && node.matches(OWN_GESTURES))) event.preventDefault()
  })
  // Only moving about in an enlarged picture is left to it.
  engine.on('keydown', (event) => {
    const isPan = ['ArrowUp', 'ArrowDown'].includes(event.originalEvent.key) && isZoomed()
    if (!isPan) event.preventDefault()
  })
  // Whoever opens it with a double click means neither to enlarge the picture nor to leave it again.
  const openedAt = performance.now()
  for (const action of ['imageClickAction', 'bgClickAction'] as const) {
    engine.on(action, (event) => {
      if (event.originalEvent.timeStamp - openedAt < DOUBLE_CLICK_MS) event.preventDefault()
    })
  }
  let isOver = false
  engine.on('close', () => {
    if (!isOver) options.onClose()
  })
  let shownIndex = options.index
  const isZoomed = () => {
    const slide = engine.currSlide
    return slide !== undefined && slide.currZoomLevel > slide.zoomLevels.fit
  }
  const zoomBy = (factor: number) => {
    const slide = engine.currSlide
    if (!slide?.isZoomable()) return
    const level = Math.min(slide.zoomLevels.max, Math.max(slide.zoomLevels.fit, slide.currZoomLevel * factor))
    slide.zoomTo(level, undefined, ZOOM_MS)
  }
  engine.init()
  const observer = new ResizeObserver(() => engine.updateSize(true))
  observer.observe(host)
  return {
    goTo: (index: number) => {
      if (index === engine.currIndex) return
      shownIndex = index
      engine.goTo(index)
    },
    /** What is looked at stands so many places further on: it stays as it is, and so do its neighbours until they are refreshed. */
    moveAlong: (places: number) => {
      shownIndex += places
      engine.currIndex += places
      engine.potentialIndex += places
      const slides = engine.mainScroll.itemHolders.flatMap(({ slide }) => slide ?? [])
      const contents = new Set([...slides.map(({ content }) => content), ...engine.contentLoader._cachedItems])
      for (const placed of [...slides, ...contents]) placed.index += places
      const moved = [...failed].map((index) => index + places)
      failed.clear()
      for (const index of moved) failed.add(index)
    },
    /** Draws anew what stood empty until its entry arrived, and what was loaded ahead before another entry took its place. */
    refresh: (index: number) => {
      const { slide } = engine.mainScroll.itemHolders.find((holder) => holder.slide?.index === index) ?? {}
      const { slideKey } = (slide?.content.data ?? {}) as SlideItem
      if (slideKey !== slideAt(index)?.key) draw(index)
    },
    /** Whatever did not come. */
    loadAnew: () => {
      for (const index of [...failed]) loadAgain(index)
    },
    zoomIn: () => zoomBy(ZOOM_STEP),
    zoomOut: () => zoomBy(1 / ZOOM_STEP),
    zoomFit: () => engine.currSlide?.zoomTo(engine.currSlide.zoomLevels.fit, undefined, ZOOM_MS),
    destroy: () => {
      isOver = true
      observer.disconnect()
      engine.destroy()
    },
  }
}

export type PhotoStage = ReturnType<typeof createPhotoStage>
