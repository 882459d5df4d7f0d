import { Key } from '@solid-primitives/keyed'
import { debounce } from '@solid-primitives/scheduled'
import { Check, Download, Link2, Play } from 'lucide-solid'
import { createSignal, type JSX, Show } from 'solid-js'
import { t } from '../i18n/details.ts'
import { copyText } from '../primitives/copy-text.ts'
import { formatBytes } from '../primitives/format.ts'
import { notifyError } from '../primitives/notify.ts'
import { FileLinkButton, LinkButton } from './button.tsx'
import { IconButton } from './icon-button.tsx'

export interface FileRow {
  name: string
  icon: JSX.Element
  kind: string
  /** What is in it: codecs, pixels. */
  facts?: readonly string[]
  size: number | null
  /** Said instead of a size that nobody knows. */
  sizeNote?: string
  url: string
  /** The screen that plays it. */
  playPath?: string
}

const COPIED_MS = 2000

const CopyLink = (props: { url: string; name: string }) => {
  const [isCopied, setCopied] = createSignal(false)
  const endLater = debounce(() => setCopied(false), COPIED_MS)
  const copy = async () => {
    await copyText(new URL(props.url, document.baseURI).href)
    setCopied(true)
    endLater()
  }
  return (
    <IconButton
      label={isCopied() ? t('action.copied') : `${t('item.copyLink')}: ${props.name}`}
      onClick={() => void copy().catch(notifyError)}
    >
      <Show when={isCopied()} fallback={<Link2 size={18} />}>
        <Check size={18} class="text-success" />
      </Show>
    </IconButton>
  )
}

const sizeText = ({ size, sizeNote }: FileRow) => (size === null ? (sizeNote ?? t('item.unknownSize')) : formatBytes(size))

interface FileListProps {
  files: readonly FileRow[]
  canDownload: boolean
  /** They are gone: there are only their names left. */
  areMissing: boolean
}

export const FileList = (props: FileListProps) => (
  <ul class="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
    <Key each={props.files} by="name">
      {(file) => (
        <li class="flex items-center gap-3 px-4 py-2 max-sm:flex-wrap max-sm:justify-end">
          {/* On a phone the buttons have a line of their own: beside them a long name would have a dozen. */}
          <div class="flex min-w-0 grow items-center gap-3 max-sm:w-full">
            <span class="text-muted">{file().icon}</span>
            <div class="min-w-0 grow">
              <p class="text-small sm:truncate" title={file().name}>
                {file().name}
              </p>
              <p class="text-caption text-muted tabular-nums">{[file().kind, ...(file().facts ?? []), sizeText(file())].join(' · ')}</p>
            </div>
          </div>
          <Show when={!props.areMissing && file().playPath}>
            {(path) => (
              <LinkButton href={path()} size="small" variant="ghost" aria-label={t('item.playFile', file().name)}>
                <Play size={16} aria-hidden="true" />
                <span class="max-sm:sr-only">{t('item.play')}</span>
              </LinkButton>
            )}
          </Show>
          <Show when={!props.areMissing && props.canDownload}>
            <CopyLink url={file().url} name={file().name} />
            <FileLinkButton href={file().url} download="" size="small" aria-label={`${t('action.download')} ${file().name}`}>
              <Download size={16} aria-hidden="true" />
              <span class="max-sm:sr-only">{t('action.download')}</span>
            </FileLinkButton>
          </Show>
        </li>
      )}
    </Key>
  </ul>
)
