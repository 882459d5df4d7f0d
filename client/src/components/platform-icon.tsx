import type { GameFile } from '../api/types.ts'
import { t } from '../i18n/details.ts'

type Platform = GameFile['platform']

/** Our own simple marks: panes, a prompt, a command key. */
const PATHS: Record<Platform, string> = {
  windows: 'M4 5.5 11 4.5v7H4zM12.5 4.3 20 3.2v8.3h-7.5zM4 13h7v7l-7-1zM12.5 13H20v8.3l-7.5-1.1z',
  linux:
    'M4 4h16a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zm2.6 4.4L10.200 12l-3.600 3.600 1.400 1.400 5-5-5-5zM12 15v2h6v-2z',
  macos:
    'M7 3.500A3.500 3.500 0 1 0 7 10.500h1.800v3H7A3.500 3.500 0 1 0 10.500 17v-1.800h3V17A3.500 3.500 0 1 0 17 13.500h-1.800v-3H17A3.500 3.500 0 1 0 13.500 7v1.800h-3V7A3.500 3.500 0 0 0 7 3.500zm0 2A1.500 1.500 0 0 1 8.500 7v1.500H7a1.500 1.500 0 1 1 0-3zm10 0a1.500 1.500 0 1 1 0 3h-1.500V7A1.500 1.500 0 0 1 17 5.500zm-6.500 5h3v3h-3zm-3.500 5h1.500V17A1.500 1.500 0 1 1 7 15.500zm8.500 0H17a1.500 1.500 0 1 1-1.500 1.500z',
}

export const PlatformIcon = (props: { platform: Platform; size?: number }) => (
  <svg
    width={props.size ?? 20}
    height={props.size ?? 20}
    viewBox="0 0 24 24"
    fill="currentColor"
    fill-rule="evenodd"
    role="img"
    aria-label={t(`item.platforms.${props.platform}`)}
    class="shrink-0"
  >
    <title>{t(`item.platforms.${props.platform}`)}</title>
    <path d={PATHS[props.platform]} />
  </svg>
)
