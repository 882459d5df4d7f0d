import { LoaderCircle } from 'lucide-solid'

/** In a `media-loading-indicator`. It turns while it is seen (player.css); that element's own has every frame drawn for as long as there is a player. */
const LoadingRing = () => <LoaderCircle slot="icon" aria-hidden="true" />

/** Where a film that plays has to wait for more. */
export const StallRing = () => (
  <media-loading-indicator slot="centered-chrome" noautohide="">
    <LoadingRing />
  </media-loading-indicator>
)

/** In the middle of where a film is about to play. */
export const PlayerWait = () => (
  <media-loading-indicator medialoading="" class="player-wait">
    <LoadingRing />
  </media-loading-indicator>
)
