import { KeyHelp } from '../../components/key-help.tsx'
import { t } from '../../i18n/filters.ts'
import { GRID_KEYS } from '../../primitives/grid-keys.ts'
import { createCanManage } from '../../primitives/session.ts'
import { SHORTCUTS } from '../../primitives/shortcuts.ts'

/** All keys of the frame and of the grids, out of the tables that their handlers read. */
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
