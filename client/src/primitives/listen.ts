import { onCleanup } from 'solid-js'

type EventsOf<Target> = Target extends Window
  ? WindowEventMap
  : Target extends Document
    ? DocumentEventMap
    : Target extends HTMLElement
      ? HTMLElementEventMap
      : Record<string, Event>

type Heard<Target> = { [Name in keyof EventsOf<Target>]?: (event: EventsOf<Target>[Name]) => void }

/** Hears of these events for as long as its owner is there. */
export const listen = <Target extends EventTarget>(target: Target, heard: Heard<Target>, options?: AddEventListenerOptions): void => {
  const end = new AbortController()
  for (const [name, listener] of Object.entries(heard)) {
    target.addEventListener(name, listener as EventListener, { ...options, signal: end.signal })
  }
  onCleanup(() => end.abort())
}
