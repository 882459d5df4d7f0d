import { KeyHelp } from '../../components/key-help.tsx'
import { type Played, playerHelpRows } from '../../components/player-help.tsx'
import { t } from '../../i18n/viewers.ts'
import { createUserSettings } from '../../primitives/create-user-settings.ts'
import { createCan } from '../../primitives/session.ts'
import { VIEWER_KEYS, type ViewerHelp as ViewerHelpRow } from '../../primitives/viewer-keys.ts'
import type { Slide } from './slide.ts'

interface ViewerHelpProps {
  slide: Slide | undefined
  /** What the player under it plays, whose other keys work here too. */
  played: Played | undefined
  hasOthers: boolean
  hasPanel: boolean
  canDownload: boolean
  onClose: () => void
}

/** Those that a player keeps for itself. */
const ZOOM_AND_PLAY = new Set<ViewerHelpRow>(['zoom', 'play'])
const TAKEN = new Set(VIEWER_KEYS.filter(({ help }) => !ZOOM_AND_PLAY.has(help)).map(({ key }) => key))

/** The keys that do something: for this slide, and for this person. */
export const ViewerHelp = (props: ViewerHelpProps) => {
  const can = createCan()
  const { settings } = createUserSettings()
  const rows = () => {
    const isVideo = props.slide?.kind === 'video'
    const works: Partial<Record<ViewerHelpRow, unknown>> = {
      turn: props.hasOthers,
      ends: props.hasOthers,
      play: !props.played && (isVideo || props.hasOthers),
      zoom: !isVideo,
      info: props.hasPanel,
      tags: props.hasPanel && can('tag'),
      edit: props.hasPanel && can('editMetadata'),
      download: props.canDownload && props.slide?.downloadUrl,
    }
    const own = VIEWER_KEYS.filter(({ help }) => !(help in works) || works[help]).map(({ key, help }) => ({
      keys: [key],
      text: t(`lightbox.help.${help}`),
    }))
    const seconds = { short: settings().seekShort, long: settings().seekLong }
    return [...own, ...(props.played ? playerHelpRows(props.played, seconds, TAKEN) : [])]
  }
  return <KeyHelp title={t('lightbox.keys')} rows={rows()} isOverStage onClose={props.onClose} />
}
