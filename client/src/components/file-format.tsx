import { Show } from 'solid-js'
import type { Playback } from '../api/playback.ts'
import { t } from '../i18n/viewers.ts'
import { formatFacts } from '../primitives/media-facts.ts'

/** What a file is that cannot be played, as far as anybody knows. */
export const FileFormat = (props: { playback: Playback }) => (
  <Show when={formatFacts(props.playback)}>{(format) => <p class="mt-2 text-small text-muted">{t('watch.format', format())}</p>}</Show>
)
