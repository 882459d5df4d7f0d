/** Whether the filter panel is open, as `panel=filters` in the address. */

import { createUrlLayer } from './url-layer.ts'

const OPEN = 'filters'

export const createFilterPanelState = () => {
  const layer = createUrlLayer('panel')
  const isOpen = () => layer.value() === OPEN
  return { isOpen, close: layer.close, toggle: () => (isOpen() ? layer.close() : layer.open(OPEN)) }
}
