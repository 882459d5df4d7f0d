import { For } from 'solid-js'
import { t } from '../../i18n/reader.ts'
import type { Zone } from '../../primitives/reader-zones.ts'

const COLOURS: Record<Zone['action'], string> = {
  forward: 'border-accent',
  back: 'border-danger',
  menu: 'border-transparent',
}

/** Where to tap for what. It lets every tap through. */
export const TapHint = (props: { zones: readonly Zone[] }) => (
  <div class="pointer-events-none absolute inset-0 z-10 animate-fade" role="status">
    <For each={props.zones}>
      {(zone) => (
        <span
          class={`absolute flex items-center justify-center border-2 bg-scrim p-2 text-center text-small font-semibold text-fg ${COLOURS[zone.action]}`}
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
