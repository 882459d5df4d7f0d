import { t } from '../i18n/translate.ts'

/**
 * Puts a text into the clipboard. Browsers offer theirs on https and localhost only, and refuse it in a frame of another site;
 * the older way still works there. Throws where neither does.
 */
export const copyText = async (text: string): Promise<void> => {
  try {
    return await navigator.clipboard.writeText(text)
  } catch {
    // There is none, or it refuses.
  }
  const field = document.createElement('textarea')
  field.value = text
  field.ariaHidden = 'true'
  field.style.cssText = 'position:fixed;opacity:0'
  const before = document.activeElement
  // In a dialog the focus may not leave it.
  ;(document.querySelector('[role=dialog]') ?? document.body).append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  if (!isCopied) throw new Error(t('problem.clipboard'))
}
