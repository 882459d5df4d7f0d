import { KeyHelp } from '../../components/key-help.tsx'
import { t } from '../../i18n/help.ts'
import { createCanManage } from '../../primitives/session.ts'
import { SHORTCUTS, type ShortcutAction } from '../../primitives/shortcut-keys.ts'

/** Those of a grid, as its handler has them (`nextGridIndex`); there they would be loaded with every library. */
const GRID_KEYS = [
  { move: 'move', keys: ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] },
  { move: 'page', keys: ['PageUp', 'PageDown'] },
  { move: 'ends', keys: ['Home', 'End'] },
  { move: 'open', keys: ['Enter'] },
] as const

/** Those of the bar of a selection (components/entry-selection.tsx). */
const SELECTION_KEYS = [
  { move: 'tick', keys: ['Enter'] },
  { move: 'tickOn', keys: ['Shift', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] },
  { move: 'tickAll', keys: ['Ctrl+A'] },
  { move: 'tags', keys: ['T'] },
  { move: 'tickNone', keys: ['Escape'] },
] as const

/** All keys of the frame and of the grids. */
export const ShellHelp = (props: { onClose: () => void }) => {
  const canManage = createCanManage()
  const isSelecting = document.querySelector('[data-select-button][aria-pressed=true]') !== null
  const isThere = (action: ShortcutAction): boolean => (action !== 'goManage' || canManage()) && (action !== 'select' || !isSelecting)
  const rows = () => [
    ...(isSelecting ? SELECTION_KEYS.map(({ move, keys }) => ({ keys, text: t(`shortcuts.${move}`) })) : []),
    ...SHORTCUTS.filter(({ action }) => isThere(action)).map(({ action, keys }) => ({
      keys,
      text: t(`shortcuts.${action}`),
    })),
    ...GRID_KEYS.filter(({ move }) => move !== 'open' || !isSelecting).map(({ move, keys }) => ({ keys, text: t(`shortcuts.${move}`) })),
  ]
  return <KeyHelp title={t('shortcuts.title')} rows={rows()} onClose={props.onClose} />
}
