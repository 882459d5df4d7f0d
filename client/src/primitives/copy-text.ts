/**
 * Puts a text into the clipboard. Browsers offer theirs on https and localhost only; in a household without https the
 * older way still works. Throws where neither does.
 */
export const copyText = async (text: string): Promise<void> => {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  field.setAttribute('aria-hidden', 'true')
  field.style.position = 'fixed'
  field.style.opacity = '0'
  const before = document.activeElement
  // In a dialog the focus may not leave it.
  ;(document.querySelector('[role=dialog]') ?? document.body).append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  if (!isCopied) throw new Error('The clipboard is closed.')
}
