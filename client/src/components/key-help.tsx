import { For } from 'solid-js'
import { t } from '../i18n/viewers.ts'
import { Dialog } from './dialog.tsx'

interface KeyHelpRow {
  keys: readonly string[]
  text: string
}

/** What is printed on the key; letters stand as they are. */
const SYMBOLS: Readonly<Record<string, string>> = {
  ' ': '␣',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
}

const nameOf = (key: string): string =>
  key
    .split('+')
    .map((part) => SYMBOLS[part] ?? (part.length === 1 ? part.toUpperCase() : part))
    .join(' + ')

interface KeyHelpProps {
  title: string
  rows: readonly KeyHelpRow[]
  isOpen: boolean
  onClose: () => void
  isOverStage?: boolean
}

/** The keys of a screen, made from the same table as their handler. */
export const KeyHelp = (props: KeyHelpProps) => (
  <Dialog title={props.title} isOpen={props.isOpen} onClose={props.onClose} isOverStage={props.isOverStage}>
    <table class="w-full text-small">
      <thead class="sr-only">
        <tr>
          <th>{t('keys.key')}</th>
          <th>{t('keys.action')}</th>
        </tr>
      </thead>
      <tbody>
        <For each={props.rows}>
          {(row) => (
            <tr class="border-b border-line last:border-0">
              <td class="py-2 pr-4 whitespace-nowrap">
                <For each={row.keys}>
                  {(key) => (
                    <kbd class="mr-1 inline-block min-w-6 rounded-chip border border-control bg-raised px-1 text-center font-mono text-caption">
                      {nameOf(key)}
                    </kbd>
                  )}
                </For>
              </td>
              <td class="py-2 text-muted">{row.text}</td>
            </tr>
          )}
        </For>
      </tbody>
    </table>
  </Dialog>
)
