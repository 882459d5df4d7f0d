import { Play } from 'lucide-solid'
import { Show } from 'solid-js'
import { Button } from '../../components/button.tsx'
import { t } from '../../i18n/viewers.ts'

interface NextCardProps {
  title: string
  /** Seconds until it starts by itself; undefined where it waits to be told. */
  remaining: number | undefined
  onPlay: () => void
  onHide: () => void
}

/** What comes next, over the last seconds of what is playing. */
export const NextCard = (props: NextCardProps) => (
  <section
    aria-label={t('watch.upNext')}
    class="absolute safe-right-4 safe-bottom-28 flex w-80 max-w-[calc(100%-32px)] animate-rise flex-col gap-3 rounded-card border border-line bg-surface p-4 shadow-raised"
  >
    <div>
      <p class="flex justify-between gap-2 text-caption text-muted tabular-nums">
        {t('watch.upNext')}
        <Show when={props.remaining}>{(seconds) => <span>{t('watch.startsIn', seconds())}</span>}</Show>
      </p>
      <p class="line-clamp-2 font-semibold">{props.title}</p>
    </div>
    <div class="flex gap-2">
      <Button size="small" variant="primary" onClick={() => props.onPlay()}>
        <Play size={16} fill="currentColor" aria-hidden="true" />
        {t('watch.playNow')}
      </Button>
      <Button size="small" variant="ghost" onClick={() => props.onHide()}>
        {t('watch.hide')}
      </Button>
    </div>
  </section>
)
