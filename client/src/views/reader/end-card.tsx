import { Show } from 'solid-js'
import type { BrowseEntry } from '../../api/types.ts'
import { LinkButton } from '../../components/button.tsx'
import { t } from '../../i18n/reader.ts'
import type { End } from '../../primitives/end-confirmation.ts'
import { pathBeyond } from '../../primitives/reader-pages.ts'
import { volumeName } from '../../primitives/volume-name.ts'

interface EndCardProps {
  end: End
  title: string
  /** The volume beyond this end; without one the series is offered. */
  neighbour: BrowseEntry | undefined
  upPath: string
  onUp: (event: MouseEvent) => void
}

/** What lies beyond the first or the last page. */
export const EndCard = (props: EndCardProps) => (
  <div
    role="status"
    class="flex w-full max-w-120 animate-rise flex-col items-center gap-3 rounded-dialog border border-line bg-surface p-4 text-center shadow-raised"
  >
    <p class="text-small text-muted">
      {props.end === 'next' ? t('reader.end', props.title) : t('reader.beginning', props.title)}
      <Show when={props.neighbour}> {props.end === 'next' ? t('reader.readOn') : t('reader.goBack')}</Show>
    </p>
    <Show
      when={props.neighbour}
      fallback={
        <LinkButton href={props.upPath} replace onClick={(event) => props.onUp(event)}>
          {t('reader.toSeries')}
        </LinkButton>
      }
    >
      {(volume) => (
        <LinkButton href={pathBeyond(props.end, volume())} replace variant="primary" class="max-w-full">
          <span class="truncate">
            {props.end === 'next' ? t('reader.nextVolume', volumeName(volume())) : t('reader.previousVolume', volumeName(volume()))}
          </span>
        </LinkButton>
      )}
    </Show>
  </div>
)
