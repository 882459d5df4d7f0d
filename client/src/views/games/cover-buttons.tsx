import { ImageUp } from 'lucide-solid'
import { type CoverKind, uploadCover } from '../../api/games.ts'
import { FileButton } from '../../components/file-button.tsx'
import { UploadList } from '../../components/upload-list.tsx'
import { t } from '../../i18n/details.ts'
import { createUploads } from '../../primitives/create-uploads.ts'
import { notify } from '../../primitives/notify.ts'

/** New pictures for a game or a series of games, written into its folder. */
export const CoverButtons = (props: { itemKey: string; libraryId: number }) => {
  const uploadsOf = (kind: CoverKind) =>
    createUploads({
      target: () => ({ itemKey: props.itemKey, libraryId: props.libraryId }),
      send: ({ itemKey }, file, options) => uploadCover(itemKey, { kind, file }, options),
      onSent: () => notify(t('upload.done')),
    })
  const covers = uploadsOf('cover')
  const wideCovers = uploadsOf('widecover')
  let buttons: HTMLDivElement | undefined
  return (
    <div class="flex flex-col gap-4">
      <div ref={buttons} class="flex flex-wrap gap-3">
        <FileButton label={t('upload.cover')} icon={<ImageUp size={18} aria-hidden="true" />} onChoose={(files) => covers.add(files)} />
        <FileButton
          label={t('upload.wideCover')}
          icon={<ImageUp size={18} aria-hidden="true" />}
          onChoose={(files) => wideCovers.add(files)}
        />
      </div>
      <UploadList uploads={covers} buttons={() => buttons} />
      <UploadList uploads={wideCovers} buttons={() => buttons} />
    </div>
  )
}
