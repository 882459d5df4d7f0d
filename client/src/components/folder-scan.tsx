import { FolderSync } from 'lucide-solid'
import { createSignal, Show } from 'solid-js'
import { parseItemKey } from '../../../src/domain/item-key.ts'
import type { Item } from '../api/types.ts'
import { t } from '../i18n/details.ts'
import { createLibrary, isScanActive } from '../primitives/libraries.ts'
import { createScanStart } from '../primitives/scan-start.ts'
import { createIsAdmin } from '../primitives/session.ts'
import { Button } from './button.tsx'

/** For administrators: looks through the folder of this item, and through no other. */
export const FolderScan = (props: { item: Item }) => {
  const isAdmin = createIsAdmin()
  const scan = createScanStart()
  const { library } = createLibrary(() => props.item.libraryId)
  const [isAsking, setAsking] = createSignal(false)
  const path = () => parseItemKey(props.item.itemKey)?.path
  const start = async (folder: string) => {
    setAsking(true)
    await scan(props.item.libraryId, folder)
    setAsking(false)
  }
  return (
    // On a disk that is away it could only fail.
    <Show when={isAdmin() && library()?.available !== false && path()}>
      {(folder) => (
        <section class="mt-12 flex flex-wrap items-center justify-between gap-4 rounded-card border border-line p-4">
          <div class="min-w-0">
            <h2 class="text-body font-semibold">{t('folderScan.heading')}</h2>
            <p class="max-w-[60ch] text-small break-words text-muted" data-own-name>
              {t('folderScan.lead', folder())}
            </p>
          </div>
          <Button isBusy={isAsking() || isScanActive(library()?.lastScan ?? null)} onClick={() => void start(folder())}>
            <FolderSync size={18} aria-hidden="true" />
            {t('folderScan.start')}
          </Button>
        </section>
      )}
    </Show>
  )
}
