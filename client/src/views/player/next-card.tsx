import { Play } from 'lucide-solid'
import { Button } from '../../components/button.tsx'
import { t } from '../../i18n/details.ts'

/** What comes next, over the last seconds of what is playing. */
export const NextCard = (props: { title: string; onPlay: () => void; onHide: () => void }) => (
  <section
    aria-label={t('player.next')}
    class="absolute right-4 bottom-20 flex w-80 max-w-[calc(100%-32px)] animate-rise flex-col gap-3 rounded-card border border-line bg-surface p-4 shadow-raised"
  >
    <div>
      <p class="text-caption text-muted">{t('player.next')}</p>
      <p class="line-clamp-2 font-semibold">{props.title}</p>
    </div>
    <div class="flex gap-2">
      <Button size="small" variant="primary" onClick={() => props.onPlay()}>
        <Play size={16} fill="currentColor" aria-hidden="true" />
        {t('player.playNow')}
      </Button>
      <Button size="small" variant="ghost" onClick={() => props.onHide()}>
        {t('player.hide')}
      </Button>
    </div>
  </section>
)
