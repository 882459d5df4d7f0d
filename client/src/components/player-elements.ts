/** The elements of media-chrome that the player is made of, their types for JSX, and their words in our language. */

import 'media-chrome/media-controller'
import 'media-chrome/media-fullscreen-button'
import 'media-chrome/media-loading-indicator'
import 'media-chrome/media-mute-button'
import 'media-chrome/media-pip-button'
import 'media-chrome/media-play-button'
import 'media-chrome/media-time-range'
import 'media-chrome/media-volume-range'
import type MediaController from 'media-chrome/media-controller'
import { addTranslation, setLanguage } from 'media-chrome/utils/i18n'
import type { JSX } from 'solid-js'
import { t } from '../i18n/viewers.ts'

/** What each element reads as an attribute of its own. */
interface ChromeAttributes<Target> extends JSX.HTMLAttributes<Target> {
  slot?: string
  notooltip?: boolean | ''
  noautohide?: boolean | ''
}

declare module 'solid-js' {
  // biome-ignore lint/style/noNamespace: elements are added to Solid's JSX in no other way
  namespace JSX {
    interface IntrinsicElements {
      'media-controller': ChromeAttributes<MediaController> & {
        nohotkeys?: ''
        gesturesdisabled?: ''
        novolumepref?: ''
        autohide?: number
      }
      'media-fullscreen-button': ChromeAttributes<HTMLElement>
      'media-loading-indicator': ChromeAttributes<HTMLElement> & { medialoading?: '' }
      'media-mute-button': ChromeAttributes<HTMLElement>
      'media-pip-button': ChromeAttributes<HTMLElement>
      'media-play-button': ChromeAttributes<HTMLElement>
      'media-time-range': ChromeAttributes<HTMLElement>
      'media-volume-range': ChromeAttributes<HTMLElement>
    }
  }
}

const OURS = 'vitrine'

/** The elements take their words when they are made: to be called before. */
export const speakControls = () => {
  addTranslation(OURS, {
    play: t('watch.play'),
    pause: t('watch.pause'),
    mute: t('watch.mute'),
    unmute: t('watch.unmute'),
    seek: t('watch.seek'),
    volume: t('watch.volume'),
    'enter fullscreen mode': t('watch.fullscreen'),
    'exit fullscreen mode': t('watch.leaveFullscreen'),
    'enter picture in picture mode': t('watch.pictureInPicture'),
    'exit picture in picture mode': t('watch.leavePictureInPicture'),
    'media loading': t('app.loading'),
    'video player': t('watch.region'),
    '{currentTime} of {totalTime}': t('watch.timeOf'),
    '{time} remaining': t('watch.timeLeft'),
    'video not loaded, unknown time.': t('watch.timeUnknown'),
    hour: t('watch.hour'),
    hours: t('watch.hours'),
    minute: t('watch.minute'),
    minutes: t('watch.minutes'),
    second: t('watch.second'),
    seconds: t('watch.seconds'),
  })
  setLanguage(OURS)
}
