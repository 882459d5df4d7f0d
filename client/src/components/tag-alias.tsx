import { Show } from 'solid-js'
import { t } from '../i18n/tagging.ts'

/** By which other name a tag was found: nobody would know else why it is there. */
export const TagAlias = (props: { alias: string | undefined }) => (
  <Show when={props.alias}>{(alias) => <span class="truncate text-caption text-muted">{t('tags.alias', alias())}</span>}</Show>
)
