import type { Playback } from '../api/playback.ts'
import { t } from '../i18n/viewers.ts'
import { createUserSettings } from '../primitives/create-user-settings.ts'
import { PLAYER_KEYS, type PlayerHelpRow, type SeekLength } from '../primitives/player-keys.ts'
import { KeyHelp } from './key-help.tsx'

/** What is played, as far as it decides which keys do anything. */
export interface Played {
  playback: Pick<Playback, 'chapters' | 'subtitleTracks'>
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
}

const isDead = (help: PlayerHelpRow, { playback, onPrevious, onNext }: Played): boolean => {
  if (help === 'neighbours') return !onPrevious && !onNext
  if (help === 'chapters') return playback.chapters.length < 2
  if (help === 'captions' || help === 'delay') return playback.subtitleTracks.length === 0
  return help === 'pictureInPicture' && !document.pictureInPictureEnabled
}

/** Without those that the screen around it takes first. */
export const playerHelpRows = (played: Played, seconds: Record<SeekLength, number>, taken?: ReadonlySet<string>) =>
  PLAYER_KEYS.filter(({ help, key }) => !isDead(help, played) && !taken?.has(key)).map(({ key, help, isShifted }) => ({
    // Ten digits are a range.
    keys: help === 'fraction' ? (key === '0' ? ['0', '…', '9'] : []) : [isShifted ? `Shift+${key}` : key],
    text: help === 'short' || help === 'long' ? t('watch.help.skip', seconds[help]) : t(`watch.help.${help}`),
  }))

/** The keys of the player that do something. */
export const PlayerHelp = (props: { played: Played; onClose: () => void }) => {
  const { settings } = createUserSettings()
  const rows = () => playerHelpRows(props.played, { short: settings().seekShort, long: settings().seekLong })
  return <KeyHelp title={t('watch.keys')} rows={rows()} isOverStage onClose={props.onClose} />
}
