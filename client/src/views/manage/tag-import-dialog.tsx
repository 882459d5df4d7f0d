import { FileUp } from 'lucide-solid'
import { createSignal, For, Show } from 'solid-js'
import { ApiProblem } from '../../api/http.ts'
import { type ImportReport, importTags } from '../../api/tag-import.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FileButton } from '../../components/file-button.tsx'
import { FormButtons } from '../../components/form-buttons.tsx'
import { FormError } from '../../components/form-error.tsx'
import { t } from '../../i18n/manage-tags.ts'
import { createVocabularyRefresh } from '../../primitives/create-vocabulary-refresh.ts'
import { createFormProblem, createSubmit } from '../../primitives/form-problem.ts'
import { formatCount } from '../../primitives/format.ts'
import { problemText } from '../../primitives/problem-text.ts'

const SHOWN_SKIPPED = 100
const COUNTS = ['createdCategories', 'createdTags', 'createdMappings', 'assigned', 'unchanged'] as const
const ADDED = ['createdCategories', 'createdTags', 'createdMappings', 'assigned'] as const

const isNothingNew = (report: ImportReport) => ADDED.every((name) => report[name] === 0)

/** Of what was passed over the list tells. */
const nothingNew = (report: ImportReport) => {
  if (!isNothingNew(report) || report.skippedCount > 0) return undefined
  return t(report.unchanged > 0 ? 'importTags.nothingNew' : 'importTags.empty')
}

const Report = (props: { report: ImportReport; isDone: boolean }) => (
  <section class="flex flex-col gap-3 rounded-card border border-line p-4">
    <h3 class="text-small font-semibold">{t(props.isDone ? 'importTags.done' : 'importTags.check')}</h3>
    <Show when={nothingNew(props.report)}>{(text) => <p class="text-small text-muted">{text()}</p>}</Show>
    <ul class="flex flex-wrap gap-x-4 gap-y-1 text-small tabular-nums">
      <For each={COUNTS.filter((name) => props.report[name] > 0)}>{(name) => <li>{t(`importTags.${name}`, props.report[name])}</li>}</For>
      <Show when={props.report.skippedCount > 0}>
        <li class="text-warning">{t('importTags.skipped', props.report.skippedCount)}</li>
      </Show>
    </ul>
    <Show when={props.report.skippedCount > 0}>
      <ul class="max-h-48 divide-y divide-line overflow-y-auto rounded-card border border-line text-caption">
        <For each={props.report.skipped.slice(0, SHOWN_SKIPPED)}>
          {({ row, reason, value }) => (
            <li class="flex flex-col px-3 py-2">
              <span class="text-muted">
                {t('importTags.row', String(row))} · {t(`importTags.reason.${reason}`)}
              </span>
              <span class="break-words">{value}</span>
            </li>
          )}
        </For>
        <Show when={props.report.skippedCount > SHOWN_SKIPPED}>
          <li class="px-3 py-2 text-muted">{t('importTags.more', formatCount(props.report.skippedCount - SHOWN_SKIPPED))}</li>
        </Show>
      </ul>
    </Show>
  </section>
)

/** What is no place in JSON: the file, and a line of a table. Of both the problem itself says what is wrong. */
const WHOLE = /^(?:line \d+)?$/

/** What the server found wrong with a file, by its places. */
const placesOf = (error: unknown): string | undefined => {
  if (!(error instanceof ApiProblem) || error.code !== 'invalid_request') return undefined
  const places = error.fields
    .slice(0, 5)
    .map(({ path, message }) => (WHOLE.test(path) ? problemText(error) : `${path}: ${t('problem.field', message)}`))
  return [t('importTags.malformed'), ...places].join(' ')
}

/** A file is tried first, and taken in only after somebody has seen what it would do. */
export const TagImportDialog = (props: { onClose: () => void }) => {
  const refresh = createVocabularyRefresh()
  const [file, setFile] = createSignal<File>()
  const [report, setReport] = createSignal<ImportReport>()
  const [isDone, setDone] = createSignal(false)
  const [malformed, setMalformed] = createSignal<string>()
  const check = createFormProblem()
  const [isChecking, setChecking] = createSignal(false)
  const choose = async (chosen: File) => {
    setFile(chosen)
    setReport(undefined)
    setMalformed(undefined)
    check.clear()
    form.problem.clear()
    setDone(false)
    setChecking(true)
    try {
      setReport(await importTags(chosen, { dryRun: true }))
    } catch (error) {
      const places = placesOf(error)
      setMalformed(places)
      if (places === undefined) check.set(error)
    } finally {
      setChecking(false)
    }
  }
  const form = createSubmit(async () => {
    const chosen = file()
    if (!chosen) return
    setReport(await importTags(chosen, { dryRun: false }))
    setDone(true)
    await refresh()
  })
  const isReady = () => {
    const known = report()
    return known !== undefined && !isNothingNew(known)
  }
  return (
    <Dialog onClose={props.onClose} title={t('importTags.title')} lead={t('importTags.lead')}>
      <form onSubmit={form.submit} class="flex flex-col gap-4">
        <div class="flex min-w-0 flex-wrap items-center gap-3">
          <FileButton
            label={t(file() ? 'importTags.chooseOther' : 'importTags.choose')}
            icon={<FileUp size={18} aria-hidden="true" />}
            accept=".json,.csv,application/json,text/csv"
            // What is said of a file while it is taken in would be said of the next one.
            isBusy={isChecking() || form.isBusy()}
            onChoose={([chosen]) => chosen && void choose(chosen)}
          />
          <Show when={file()}>{(chosen) => <span class="min-w-0 truncate text-small">{chosen().name}</span>}</Show>
        </div>
        <Show when={report()}>{(known) => <Report report={known()} isDone={isDone()} />}</Show>
        <FormError text={malformed() ?? check.general() ?? form.problem.general()} />
        <Show
          when={isDone()}
          fallback={<FormButtons label={t('importTags.submit')} isBusy={form.isBusy()} isReady={isReady()} onCancel={props.onClose} />}
        >
          <div class="flex justify-end">
            <Button variant="primary" onClick={() => props.onClose()}>
              {t('action.done')}
            </Button>
          </div>
        </Show>
      </form>
    </Dialog>
  )
}
