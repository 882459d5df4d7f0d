import { For } from 'solid-js'
import { t } from '../../i18n/reader.ts'
import type { Zone } from '../../primitives/reader-zones.ts'

const COLOURS: Record<Zone['action'], string> = {
  forward: 'bg-accent/40',
  back: 'bg-danger/40',
  menu: 'bg-scrim',
}

/** Where to tap for what. It lets every tap through. */
export const TapHint = (props: { zones: readonly Zone[] }) => (
  <div class="pointer-events-none absolute inset-0 z-10 animate-fade" role="status">
    <For each={props.zones}>
      {(zone) => (
        <span
          class={`absolute flex items-center justify-center border border-fg/40 p-2 text-center text-small font-semibold text-fg [text-shadow:0_1px_3px_#000] ${COLOURS[zone.action]}`}
          style={{
            left: `${zone.left * 100}%`,
            top: `${zone.top * 100}%`,
            width: `${(zone.right - zone.left) * 100}%`,
            height: `${(zone.bottom - zone.top) * 100}%`,
          }}
        >
          {t(`reader.zoneActions.${zone.action}`)}
        </span>
      )}
    </For>
  </div>
)
