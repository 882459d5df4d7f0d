import { createEffect, createMemo, createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { isServerReachable } from '../api/http.ts'
import { onChange } from '../primitives/on-change.ts'
import { pictureSrcset } from '../primitives/picture-source.ts'
import { thumbhashBackground } from '../primitives/thumbhash.ts'

interface PictureProps {
  url: string | null
  /** Tried where `url` cannot be loaded. */
  alternateUrl?: string | null
  alt: string
  thumbhash?: string | null
  /** CSS pixels of the box, for the choice of a width. */
  sizes: string
  /** For pictures in the first window: loaded at once. */
  isEager?: boolean
  /** Shown where there is no picture, or it cannot be loaded. */
  fallback: JSX.Element
  fit?: 'cover' | 'contain'
  class?: string
}

/** Fills its box, whose size the caller fixes; the blurred placeholder stays behind until the picture is there. */
export const Picture = (props: PictureProps) => {
  const [broken, setBroken] = createSignal<readonly string[]>([])
  const shown = () => [props.url, props.alternateUrl].find((url) => url && !broken().includes(url))
  const [isLoaded, setLoaded] = createSignal(false)
  onChange(
    () => props.url,
    () => {
      setBroken([])
      setLoaded(false)
    },
  )
  // What could not be had while the server was away.
  onChange(isServerReachable, (isReachable) => isReachable && setBroken([]))
  const [placeholder, setPlaceholder] = createSignal<string>()
  const thumbhash = createMemo(() => props.thumbhash)
  createEffect(() => {
    setPlaceholder(undefined)
    const known = thumbhash()
    if (!known) return
    let isOver = false
    onCleanup(() => {
      isOver = true
    })
    void thumbhashBackground(known, () => !isOver && !isLoaded()).then((made) => {
      if (!isOver) setPlaceholder(made)
    })
  })
  // The first window waits for nothing; what comes while one scrolls fades in.
  const fade = () => `transition-opacity duration-180 ${isLoaded() ? 'opacity-100' : 'opacity-0'}`
  return (
    <div
      class={`overflow-hidden ${props.fit === 'contain' ? '' : 'bg-raised'} ${props.class ?? ''}`}
      classList={{ relative: !props.class?.includes('absolute') }}
      style={{ background: props.fit === 'contain' || isLoaded() ? undefined : placeholder() }}
    >
      {/* Another picture is another element: until it comes, a browser would go on showing the one before. */}
      <Show when={shown()} keyed fallback={props.fallback}>
        {(url) => {
          let image!: HTMLImageElement
          // Not as attributes: a lazy picture is made in the page's document and put into a card that is still in the
          // templates' one, and a `srcset` that comes along makes Chromium keep it, and the screen around it, for ever.
          createEffect(() => Object.assign(image, { sizes: props.sizes, srcset: pictureSrcset(url), src: url }))
          // What is still on its way would come all the same, before the picture that is waited for.
          onCleanup(() => Object.assign(image, { srcset: '', src: '' }))
          return (
            <img
              ref={image}
              alt={props.alt}
              loading={props.isEager ? 'eager' : 'lazy'}
              fetchpriority={props.isEager ? 'high' : 'auto'}
              decoding="async"
              draggable={false}
              onLoad={() => setLoaded(true)}
              onError={(event) => event.currentTarget.isConnected && setBroken([...broken(), url])}
              class={`absolute inset-0 size-full ${props.fit === 'contain' ? 'object-contain' : 'object-cover'} ${props.isEager ? '' : fade()}`}
            />
          )
        }}
      </Show>
    </div>
  )
}
