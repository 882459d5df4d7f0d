import { type JSX, Show } from 'solid-js'
import { downloadUrl } from '../api/files.ts'
import type { Item, VideoFile } from '../api/types.ts'
import { t } from '../i18n/details.ts'
import { createIsAway } from '../primitives/library-away.ts'
import { mediaFacts } from '../primitives/media-facts.ts'
import { watchPath } from '../primitives/paths.ts'
import { createCan } from '../primitives/session.ts'
import { FileList } from './file-list.tsx'
import { Section } from './section.tsx'

const isVideoFile = (file: object): file is VideoFile => 'role' in file

/** What a film is made of, or what comes with a series; nothing where there is none. */
export const VideoFiles = (props: { title: string; item: Item; icon: JSX.Element }) => {
  const can = createCan()
  const isAway = createIsAway(() => props.item.libraryId)
  const files = () =>
    (props.item.files ?? []).filter(isVideoFile).map((file) => ({
      name: file.name,
      icon: props.icon,
      kind: file.label ?? t(`item.roles.${file.role}`),
      facts: mediaFacts(file.media),
      size: file.size,
      url: downloadUrl(props.item.itemKey, file.name),
      playPath: `${watchPath(props.item.itemKey)}?file=${encodeURIComponent(file.name)}`,
    }))
  return (
    <Show when={files().length > 0}>
      <Section title={props.title}>
        <FileList files={files()} canDownload={can('download') && !isAway()} areMissing={props.item.missingSince !== null} />
      </Section>
    </Show>
  )
}
