/** Says of many items at once that one has seen them, or has not; what it changed can be taken back. */

import { createSignal } from 'solid-js'
import { markProgress, type ProgressMark, restoreProgress } from '../api/progress.ts'
import { t } from '../i18n/marks.ts'
import { createRefresh } from './create-refresh.ts'
import { notify, notifyDone, notifyError } from './notify.ts'

export interface Markable {
  libraryId: number
  itemKeys: readonly string[]
  isReading: boolean
}

const DONE_TEXTS = {
  watching: { true: 'marks.watched', false: 'marks.unwatched' },
  reading: { true: 'marks.read', false: 'marks.unread' },
} as const

export const createMarks = () => {
  const refresh = createRefresh()
  const [isBusy, setBusy] = createSignal(false)
  const takeBack = async (libraryId: number, marks: readonly ProgressMark[]) => {
    try {
      await restoreProgress(marks)
    } catch (error) {
      notifyError(error)
    }
    await refresh(libraryId)
  }
  const mark = async ({ libraryId, itemKeys, isReading }: Markable, completed: boolean) => {
    const marks: ProgressMark[] = []
    let hasFailed = false
    setBusy(true)
    try {
      for await (const some of markProgress(itemKeys, completed)) marks.push(...some)
    } catch (error) {
      hasFailed = true
      notifyError(error)
    }
    // Nobody has to wait for a long grid before they can take it back.
    if (marks.length > 0) {
      const text = DONE_TEXTS[isReading ? 'reading' : 'watching'][`${completed}`]
      notifyDone(t(text, marks.length), { label: t('marks.undo'), run: () => void takeBack(libraryId, marks) })
    } else if (!hasFailed) notify(t('marks.none'))
    await refresh(libraryId)
    setBusy(false)
  }
  return { isBusy, mark }
}
