import { ApiProblem } from '../api/http.ts'
import { refreshFromNfo } from '../api/nfo-refresh.ts'
import type { BrowseEntry } from '../api/types.ts'
import { t } from '../i18n/details.ts'
import { createRefresh } from './create-refresh.ts'
import { createSubmit } from './form-problem.ts'
import { notify } from './notify.ts'
import { problemText } from './problem-text.ts'

const nfoProblem = (error: unknown): string => {
  if (error instanceof ApiProblem && error.code === 'nfo_not_found') return t('nfo.notFound')
  if (error instanceof ApiProblem && error.code === 'nfo_invalid') return t('nfo.invalid', problemText(error))
  return problemText(error)
}

/** Takes an item's metadata from its NFO file anew. */
export const createNfoRefresh = (item: () => Pick<BrowseEntry, 'itemKey' | 'libraryId'>) => {
  const refresh = createRefresh()
  const { problem, isBusy, submit } = createSubmit(async () => {
    const { itemKey, libraryId } = item()
    try {
      const { title } = await refreshFromNfo(itemKey)
      await refresh(libraryId)
      notify(t('nfo.done', title))
    } catch (error) {
      throw new Error(nfoProblem(error))
    }
  })
  return { isBusy, problem: () => problem.general(), start: () => submit() }
}
