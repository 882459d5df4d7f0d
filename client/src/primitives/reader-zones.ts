/** What a tap does by where it falls (UI.md, 1.4; the layouts and their bounds are Mihon's). */

import type { ReaderSettings, ReadingDirection } from '../../../src/domain/reader-settings.ts'

type ZoneAction = 'forward' | 'back' | 'menu'

/** In fractions of the window, from its left upper corner. */
export interface Zone {
  left: number
  top: number
  right: number
  bottom: number
  action: ZoneAction
}

type Layout = Exclude<ReaderSettings['tapZones'], 'auto'>

const LOW = 0.33
const HIGH = 0.66

const zone = (action: ZoneAction, [left, top, right, bottom]: [number, number, number, number]): Zone => ({
  left,
  top,
  right,
  bottom,
  action,
})

/** As they lie where reading goes to the right; what none of them covers opens the menu. */
const LAYOUTS: Record<Layout, readonly Zone[]> = {
  sides: [zone('back', [0, 0, LOW, 1]), zone('menu', [LOW, 0, HIGH, 1]), zone('forward', [HIGH, 0, 1, 1])],
  'l-shape': [
    zone('back', [0, 0, 1, LOW]),
    zone('back', [0, LOW, LOW, HIGH]),
    zone('menu', [LOW, LOW, HIGH, HIGH]),
    zone('forward', [HIGH, LOW, 1, HIGH]),
    zone('forward', [0, HIGH, 1, 1]),
  ],
  kindle: [zone('menu', [0, 0, 1, LOW]), zone('back', [0, LOW, LOW, 1]), zone('forward', [LOW, LOW, 1, 1])],
  edge: [
    zone('forward', [0, 0, LOW, 1]),
    zone('menu', [LOW, 0, HIGH, HIGH]),
    zone('back', [LOW, HIGH, HIGH, 1]),
    zone('forward', [HIGH, 0, 1, 1]),
  ],
  off: [zone('menu', [0, 0, 1, 1])],
}

const TURNED: Record<ZoneAction, ZoneAction> = { forward: 'back', back: 'forward', menu: 'menu' }

/** From right to left, what lies beside each other lies the other way round. */
const mirrored = ({ left, right, ...rest }: Zone): Zone => ({ ...rest, left: 1 - right, right: 1 - left })

export const zonesOf = (settings: Pick<ReaderSettings, 'tapZones' | 'invertTaps'>, direction: ReadingDirection): Zone[] => {
  const isAcross = direction === 'ltr' || direction === 'rtl'
  const layout: Layout = settings.tapZones === 'auto' ? (isAcross ? 'sides' : 'l-shape') : settings.tapZones
  const zones = direction === 'rtl' ? LAYOUTS[layout].map(mirrored) : [...LAYOUTS[layout]]
  return settings.invertTaps ? zones.map((place) => ({ ...place, action: TURNED[place.action] })) : zones
}

/** `x` and `y` from 0 to 1. */
export const actionAt = (zones: readonly Zone[], x: number, y: number): ZoneAction =>
  zones.find(({ left, top, right, bottom }) => x >= left && x <= right && y >= top && y <= bottom)?.action ?? 'menu'
