import { Download } from 'lucide-solid'
import { createSignal, Match, Show, Switch } from 'solid-js'
import { parseItemKey } from '../../../../src/domain/item-key.ts'
import { FileLinkButton } from '../../components/button.tsx'
import { ItemIcon } from '../../components/type-icon.tsx'
import { VideoPlayer } from '../../components/video-player.tsx'
import { t } from '../../i18n/details.ts'
import { createPlayback } from '../../primitives/create-playback.ts'
import { thumbhashBackground } from '../../primitives/thumbhash.ts'
import type { Slide } from './slide.ts'

interface SlideStageProps {
  slide: Slide
  canDownload: boolean
}

const PictureStage = (props: SlideStageProps) => {
  const [attempt, setAttempt] = createSignal<'original' | 'fallback' | 'none'>('original')
  const [isLoaded, setLoaded] = createSignal(false)
  const onError = () => setAttempt(attempt() === 'original' && props.slide.fallbackUrl ? 'fallback' : 'none')
  return (
    <Show when={attempt() !== 'none'} fallback={<NoPreview {...props} />}>
      <img
        src={attempt() === 'original' ? props.slide.url : (props.slide.fallbackUrl ?? undefined)}
        alt={props.slide.title}
        draggable={false}
        onLoad={() => setLoaded(true)}
        onError={onError}
        class={`absolute inset-0 m-auto max-h-full max-w-full object-contain transition-opacity duration-180 ${isLoaded() ? '' : 'size-40 rounded-card opacity-40 blur-sm'}`}
        style={isLoaded() ? undefined : { background: thumbhashBackground(props.slide.thumbhash) }}
      />
    </Show>
  )
}

const VideoStage = (props: SlideStageProps) => {
  const { itemKey, libraryId } = { itemKey: props.slide.key, libraryId: parseItemKey(props.slide.key)?.libraryId ?? 0 }
  return (
    <VideoPlayer
      item={{ itemKey, libraryId }}
      control={createPlayback({ itemKey: () => itemKey })}
      title={props.slide.title}
      posterUrl={props.slide.fallbackUrl}
      downloadUrl={props.canDownload ? props.slide.downloadUrl : null}
    />
  )
}

const NoPreview = (props: SlideStageProps) => (
  <div class="absolute inset-0 flex flex-col items-center justify-center gap-4 p-6 text-center text-muted">
    <ItemIcon itemType="mixed_file" mediaKind={props.slide.kind} size={56} />
    <p class="text-small">{t('viewer.noPreview')}</p>
    <Show when={props.canDownload && props.slide.downloadUrl}>
      {(url) => (
        <FileLinkButton href={url()} download="" variant="primary">
          <Download size={18} aria-hidden="true" />
          {t('action.download')}
        </FileLinkButton>
      )}
    </Show>
  </div>
)

export const SlideStage = (props: SlideStageProps) => (
  <Switch fallback={<NoPreview {...props} />}>
    <Match when={props.slide.kind === 'image'}>
      <PictureStage {...props} />
    </Match>
    <Match when={props.slide.kind === 'video'}>
      <VideoStage {...props} />
    </Match>
    <Match when={props.slide.kind === 'audio'}>
      <div class="absolute inset-0 flex flex-col items-center justify-center gap-6 p-6">
        <ItemIcon itemType="mixed_file" mediaKind="audio" size={72} />
        {/* biome-ignore lint/a11y/useMediaCaption: the user's own recordings come without captions */}
        <audio src={props.slide.url} controls autoplay class="w-full max-w-140" />
      </div>
    </Match>
  </Switch>
)
