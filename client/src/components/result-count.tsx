import { t } from '../i18n/translate.ts'

/** How many entries a filter leaves; nothing where none is set, or its answer is awaited. */
export const resultText = (isFiltered: boolean, total: number | null | undefined): string => {
  if (!isFiltered || total === undefined) return ''
  return total === null ? t('library.manyResults') : t('library.results', total)
}

/** For who does not see the list become shorter. */
export const ResultCount = (props: { isFiltered: boolean; total: number | null | undefined }) => (
  <p class="sr-only" aria-live="polite">
    {resultText(props.isFiltered, props.total)}
  </p>
)
