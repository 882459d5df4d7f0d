import { createSignal, onCleanup } from 'solid-js'
import { ApiProblem } from '../api/http.ts'
import { t } from '../i18n/translate.ts'
import { notifyError } from './notify.ts'
import { problemText } from './problem-text.ts'

/** What the server said about a form: messages for single fields, and one for the rest. */
export const createFormProblem = () => {
  const [problem, setProblem] = createSignal<unknown>()
  const fields = () => {
    const error = problem()
    return error instanceof ApiProblem ? error.fields : []
  }
  return {
    set: setProblem,
    clear: () => setProblem(undefined),
    ofField: (path: string): string | undefined => {
      const field = fields().find((known) => known.path === path)
      return field && t('problem.field', field.message)
    },
    /** The message of a problem whose code begins so: `path_` for all that can be wrong with a folder. */
    ofCode: (prefix: string): string | undefined => {
      const error = problem()
      return error instanceof ApiProblem && error.code.startsWith(prefix) ? problemText(error) : undefined
    },
    /** What none of the fields named here, and no code that begins so, has shown already. */
    general: (shown: { fields?: string[]; codes?: string[] } = {}): string | undefined => {
      const error = problem()
      if (error === undefined) return undefined
      if (error instanceof ApiProblem && shown.codes?.some((prefix) => error.code.startsWith(prefix))) return undefined
      if (fields().length > 0 && fields().every(({ path }) => shown.fields?.includes(path))) return undefined
      return problemText(error)
    },
  }
}

/**
 * Runs a submit with its busy flag and its problem. Whoever has closed the form meanwhile is in another one, perhaps: `onDone`
 * is for those who wait for it, and what went wrong is told where they are.
 */
export const createSubmit = <Result>(work: () => Promise<Result>, onDone?: (result: Result) => void) => {
  const problem = createFormProblem()
  const [isBusy, setBusy] = createSignal(false)
  let isClosed = false
  onCleanup(() => {
    isClosed = true
  })
  const submit = async (event?: Event) => {
    event?.preventDefault()
    if (isBusy()) return
    setBusy(true)
    problem.clear()
    try {
      const result = await work()
      if (!isClosed) onDone?.(result)
    } catch (error) {
      if (isClosed) notifyError(error)
      else problem.set(error)
    } finally {
      setBusy(false)
    }
  }
  return { problem, isBusy, submit: (event?: Event) => void submit(event) }
}
