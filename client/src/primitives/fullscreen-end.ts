import { onCleanup } from 'solid-js'

/** What a screen shows in full ends with the screen; what lies inside of it may come and go meanwhile. */
export const createFullscreenEnd = (): void => {
  onCleanup(() => {
    if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined)
  })
}
