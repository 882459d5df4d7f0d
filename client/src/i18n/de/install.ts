import type { installTexts as english } from '../en/install.ts'
import type { Translation } from '../translation.ts'

export const installTexts = {
  install: {
    action: 'Als App installieren',
    updated: 'Eine neue Version ist bereit.',
    reload: 'Neu laden',
  },
} satisfies Translation<typeof english>
