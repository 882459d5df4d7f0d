import { ApiProblem } from '../api/http.ts'
import { t } from '../i18n/translate.ts'

/** What went wrong, in the language of the interface. */
export const problemText = (error: unknown): string => {
  if (error instanceof ApiProblem) return t('problem.told', error.code, error.message)
  return error instanceof Error ? error.message : String(error)
}
