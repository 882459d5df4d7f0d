import { KeyHelp } from '../../components/key-help.tsx'
import { t } from '../../i18n/help.ts'
import { createCanManage } from '../../primitives/session.ts'
import { SHORTCUTS } from '../../primitives/shortcuts.ts'

/** Those of a grid, as its handler has them (`nextGridIndex`); there they would be loaded with every library. */
const GRID_KEYS = [
  { move: 'move', keys: ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] },
  { move: 'page', keys: ['PageUp', 'PageDown'] },
  { move: 'ends', keys: ['Home', 'End'] },
  { move: 'open', keys: ['Enter'] },
] as const

/** All keys of the frame and of the grids. */
export const ShellHelp = (props: { onClose: () => void }) => {
  const canManage = createCanManage()
  const rows = () => [
    ...SHORTCUTS.filter(({ action }) => action !== 'goManage' || canManage()).map(({ action, keys }) => ({
      keys,
      text: t(`shortcuts.${action}`),
    })),
    ...GRID_KEYS.map(({ move, keys }) => ({ keys, text: t(`shortcuts.${move}`) })),
  ]
  return <KeyHelp title={t('shortcuts.title')} rows={rows()} isOpen onClose={props.onClose} />
}
