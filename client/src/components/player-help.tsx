import { t } from '../i18n/viewers.ts'
import { PLAYER_KEYS, type PlayerHelpRow, type SeekLength } from '../primitives/player-keys.ts'
import { KeyHelp } from './key-help.tsx'

const helpRows = (seconds: Record<SeekLength, number>) => {
  const rows = new Map<string, string[]>()
  for (const { key, help, isShifted } of PLAYER_KEYS) rows.set(help, [...(rows.get(help) ?? []), isShifted ? `Shift+${key}` : key])
  return [...rows].map(([help, keys]) => ({
    // Ten digits are a range.
    keys: help === 'fraction' ? ['0', '…', '9'] : keys,
    text:
      help === 'short' || help === 'long'
        ? t('watch.help.skip', seconds[help])
        : t(`watch.help.${help as Exclude<PlayerHelpRow, SeekLength>}`),
  }))
}

/** Every key of the player. `seconds`: as far as this person has set. */
export const PlayerHelp = (props: { seconds: Record<SeekLength, number>; onClose: () => void }) => (
  <KeyHelp title={t('watch.keys')} rows={helpRows(props.seconds)} isOpen isOverStage onClose={props.onClose} />
)
