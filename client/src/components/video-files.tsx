import { ChevronDown } from 'lucide-solid'
import { type JSX, Show } from 'solid-js'
import { baseNameOf } from '../../../src/domain/relative-path.ts'
import { downloadUrl } from '../api/files.ts'
import type { Item, VideoFile } from '../api/types.ts'
import { t } from '../i18n/details.ts'
import { formatCount } from '../primitives/format.ts'
import { createIsAway } from '../primitives/library-away.ts'
import { mediaFacts } from '../primitives/media-facts.ts'
import { watchPath } from '../primitives/paths.ts'
import { createCan } from '../primitives/session.ts'
import { FileList, type FileRow } from './file-list.tsx'
import { Section } from './section.tsx'

const isVideoFile = (file: object): file is VideoFile => 'role' in file

/** More of them would push away what comes after. */
const MOST_UNFOLDED = 5

/** What a film is made of, and what comes with it or with a series; nothing where there is none. */
export const VideoFiles = (props: { item: Item; icon: JSX.Element }) => {
  const can = createCan()
  const isAway = createIsAway(() => props.item.libraryId)
  const files = () => (props.item.files ?? []).filter(isVideoFile)
  const rowOf = (file: VideoFile): FileRow => ({
    name: file.name,
    icon: props.icon,
    // The name of the file is read above it already.
    kind: file.label && !baseNameOf(file.name).startsWith(`${file.label}.`) ? file.label : t(`item.roles.${file.role}`),
    facts: mediaFacts(file.media),
    size: file.size,
    url: downloadUrl(props.item.itemKey, file.name),
    playPath: `${watchPath(props.item.itemKey)}?file=${encodeURIComponent(file.name)}`,
  })
  const own = () => files().filter(({ role }) => role !== 'extra')
  const extras = () => files().filter(({ role }) => role === 'extra')
  const list = (of: () => VideoFile[]) => (
    <FileList files={of().map(rowOf)} canDownload={can('download') && !isAway()} areMissing={props.item.missingSince !== null} />
  )
  return (
    <>
      <Show when={own().length > 0}>
        <Section title={t('item.files')}>{list(own)}</Section>
      </Show>
      <Show when={extras().length > 0}>
        <details class="group mt-10" open={extras().length <= MOST_UNFOLDED}>
          <summary class="mb-3 flex min-h-11 list-none items-center gap-3 rounded-chip">
            <ChevronDown size={20} class="text-muted transition-transform group-open:rotate-180" aria-hidden="true" />
            <h2 class="text-h2 font-semibold">{t('item.extras')}</h2>
            <span class="text-small text-muted tabular-nums">{formatCount(extras().length)}</span>
          </summary>
          {list(extras)}
        </details>
      </Show>
    </>
  )
}
