import { Show } from 'solid-js'
import type { ReadingDirection } from '../../../../src/domain/reader-settings.ts'
import type { Item } from '../../api/types.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { DownloadButton } from '../../components/download-button.tsx'
import { t } from '../../i18n/reader.ts'
import type { ReaderControl } from '../../primitives/create-reader-settings.ts'
import { ReaderSettingsFields } from './reader-settings-fields.tsx'

interface SettingsSheetProps {
  volume: Item
  control: ReaderControl
  direction: ReadingDirection
  onClose: () => void
}

export const SettingsSheet = (props: SettingsSheetProps) => (
  <Dialog isSheet isOverStage width="wide" title={t('reader.settings')} lead={t('reader.settingsLead')} onClose={props.onClose}>
    <ReaderSettingsFields settings={props.control.settings()} direction={props.direction} onChange={props.control.change} />
    <Show when={props.control.hasOwn()}>
      <div class="mt-4 flex justify-end">
        <Button onClick={props.control.forget}>{t('reader.likeAll')}</Button>
      </div>
    </Show>
    {/* The bar of a phone has no room for it. */}
    <DownloadButton item={props.volume} isRow class="mt-4 sm:hidden" />
  </Dialog>
)
