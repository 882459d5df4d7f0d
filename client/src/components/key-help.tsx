import { For, Show } from 'solid-js'
import { t as keyName } from '../i18n/help.ts'
import { t } from '../i18n/viewers.ts'
import { Dialog } from './dialog.tsx'

interface KeyHelpRow {
  keys: readonly string[]
  /** Keys that do the same share a row. */
  text: string
}

/** What is printed on the key, and what it is called where that is no word; letters stand as they are. */
const SYMBOLS: Readonly<Record<string, { sign: string; spoken?: 'space' | 'left' | 'right' | 'up' | 'down' }>> = {
  ' ': { sign: '␣', spoken: 'space' },
  ArrowLeft: { sign: '←', spoken: 'left' },
  ArrowRight: { sign: '→', spoken: 'right' },
  ArrowUp: { sign: '↑', spoken: 'up' },
  ArrowDown: { sign: '↓', spoken: 'down' },
  Escape: { sign: 'Esc' },
}

/** Where a keyboard has words, they are those of its language. */
const WORDS = ['Home', 'End', 'PageUp', 'PageDown', 'Ctrl', 'Shift'] as const

const nameOfPart = (part: string): string => {
  const word = WORDS.find((known) => known === part)
  if (word) return keyName(`printedKeys.${word}`)
  return SYMBOLS[part]?.sign ?? (part.length === 1 ? part.toUpperCase() : part)
}

const nameOf = (key: string): string => key.split('+').map(nameOfPart).join(' + ')

const rowsByText = (rows: readonly KeyHelpRow[]): KeyHelpRow[] => {
  const byText = new Map<string, string[]>()
  for (const { keys, text } of rows) byText.set(text, [...(byText.get(text) ?? []), ...keys])
  return [...byText].map(([text, keys]) => ({ text, keys }))
}

interface KeyHelpProps {
  title: string
  rows: readonly KeyHelpRow[]
  onClose: () => void
  isOverStage?: boolean
}

/** The keys of a screen, made from the same table as their handler. */
export const KeyHelp = (props: KeyHelpProps) => (
  <Dialog title={props.title} onClose={props.onClose} isOverStage={props.isOverStage}>
    <table class="w-full text-small">
      <thead class="sr-only">
        <tr>
          <th>{t('keys.key')}</th>
          <th>{t('keys.action')}</th>
        </tr>
      </thead>
      <tbody>
        <For each={rowsByText(props.rows)}>
          {(row) => (
            <tr class="border-b border-line last:border-0">
              <td class="py-2 pr-4 whitespace-nowrap">
                <For each={row.keys}>
                  {(key) => (
                    <kbd class="mr-1 inline-block min-w-6 rounded-chip border border-control bg-raised px-1 text-center font-mono text-caption">
                      <Show when={SYMBOLS[key]?.spoken} fallback={nameOf(key)}>
                        {(spoken) => (
                          <>
                            <span aria-hidden="true">{nameOf(key)}</span>
                            <span class="sr-only">{keyName(`spokenKeys.${spoken()}`)}</span>
                          </>
                        )}
                      </Show>
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
