import { t } from '../i18n/viewers.ts'
import { PLAYER_KEYS, type SeekLength } from '../primitives/player-keys.ts'
import { KeyHelp } from './key-help.tsx'

const helpRows = (seconds: Record<SeekLength, number>) =>
  PLAYER_KEYS.map(({ key, help, isShifted }) => ({
    // Ten digits are a range.
    keys: help === 'fraction' ? (key === '0' ? ['0', '…', '9'] : []) : [isShifted ? `Shift+${key}` : key],
    text: help === 'short' || help === 'long' ? t('watch.help.skip', seconds[help]) : t(`watch.help.${help}`),
  }))

/** Every key of the player. `seconds`: as far as this person has set. */
export const PlayerHelp = (props: { seconds: Record<SeekLength, number>; onClose: () => void }) => (
  <KeyHelp title={t('watch.keys')} rows={helpRows(props.seconds)} isOverStage onClose={props.onClose} />
)
