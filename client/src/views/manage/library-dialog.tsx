import { useQueryClient } from '@tanstack/solid-query'
import { createSignal, Show } from 'solid-js'
import type { LibraryType } from '../../../../src/domain/item-type.ts'
import { changeLibrary, createLibrary, listLibraries } from '../../api/libraries.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { startScan } from '../../api/scans.ts'
import type { Library } from '../../api/types.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FormButtons } from '../../components/form-buttons.tsx'
import { FormError } from '../../components/form-error.tsx'
import { LibraryTypeChoice } from '../../components/library-fields.tsx'
import { Select } from '../../components/select.tsx'
import { TextField } from '../../components/text-field.tsx'
import { t } from '../../i18n/manage.ts'
import { createDraft } from '../../primitives/create-draft.ts'
import { createSubmit } from '../../primitives/form-problem.ts'
import { notify, notifyError } from '../../primitives/notify.ts'
import { SCHEDULE_NAMES, SCHEDULES, scheduleName } from '../../primitives/scan-schedule.ts'
import { PathPicker } from './path-picker.tsx'

/** Ten years. */
const MAX_TRASH_DAYS = 3650

/** Any other. */
const WRITTEN = 'written'

interface LibraryDialogProps {
  /** Absent: a new library. */
  library?: Library
  onClose: () => void
}

const fieldsOf = (library: Library | undefined) => ({
  name: library?.name,
  path: library?.path ?? '',
  schedule: library?.scanSchedule ?? '',
  trashDays: String(library?.trashDays ?? 0),
})
type Fields = ReturnType<typeof fieldsOf>

export const LibraryDialog = (props: LibraryDialogProps) => {
  const client = useQueryClient()
  const [type, setType] = createSignal<LibraryType>(props.library?.type ?? 'movies')
  const draft = createDraft(() => fieldsOf(props.library))
  const schedule = () => scheduleName(draft.fields.schedule) ?? WRITTEN
  const name = () => draft.fields.name ?? t(`libraryType.${type()}`)

  /** Only there anything can be deleted. */
  const hasTrash = () => type() === 'movies' || type() === 'tv'
  const inputOf = (fields: Fields) => ({
    name: (fields.name ?? name()).trim(),
    path: fields.path.trim(),
    scanSchedule: fields.schedule.trim() || null,
    ...(hasTrash() && { trashDays: Number(fields.trashDays) || 0 }),
  })

  const form = createSubmit(
    async () => {
      const { library: known } = props
      if (known) {
        await draft.save(
          async () => fieldsOf((await listLibraries()).libraries.find(({ id }) => id === known.id) ?? known),
          async (fields) => fieldsOf((await changeLibrary(known.id, inputOf(fields))).library),
        )
        notify(t('action.saved'))
      } else {
        const { library } = await createLibrary({ ...inputOf(draft.fields), type: type() })
        // The library is there all the same, and its own button scans it: what is pressed again would be a second one in its folder.
        await startScan(library.id).then(() => notify(t('manageLibraries.created', library.name)), notifyError)
      }
      await client.invalidateQueries({ queryKey: queryKeys.libraries })
    },
    () => props.onClose(),
  )

  return (
    <Dialog
      isInAddress={props.library === undefined}
      onClose={props.onClose}
      width="wide"
      title={props.library ? t('manageLibraries.editTitle', props.library.name) : t('manageLibraries.addTitle')}
      lead={props.library ? undefined : t('manageLibraries.addLead')}
    >
      <form onSubmit={form.submit} class="flex flex-col gap-4">
        <Show when={!props.library}>
          <LibraryTypeChoice value={type()} onSelect={setType} />
        </Show>
        <TextField
          label={t('field.name')}
          name="name"
          required
          autocomplete="off"
          value={name()}
          error={form.problem.ofField('name') ?? form.problem.ofCode('duplicate_name')}
          onInput={(event) => draft.set('name', event.currentTarget.value)}
        />
        <PathPicker
          value={draft.fields.path}
          error={form.problem.ofField('path') ?? form.problem.ofCode('path_')}
          onChange={(path) => draft.set('path', path)}
        />
        <div class="grid gap-4 sm:grid-cols-2">
          <Select<keyof typeof SCHEDULES | typeof WRITTEN>
            label={t('manageLibraries.schedule')}
            value={schedule()}
            options={[...SCHEDULE_NAMES, ...(schedule() === WRITTEN ? ([WRITTEN] as const) : [])].map((value) => ({
              value,
              label: t(`manageLibraries.schedules.${value}`),
            }))}
            onSelect={(chosen) => chosen !== WRITTEN && draft.set('schedule', SCHEDULES[chosen])}
          />
          <TextField
            label={t('manageLibraries.cron')}
            hint={t('manageLibraries.cronHint')}
            name="schedule"
            autocomplete="off"
            spellcheck={false}
            value={draft.fields.schedule}
            error={form.problem.ofField('scanSchedule')}
            onInput={(event) => draft.set('schedule', event.currentTarget.value)}
          />
        </div>
        <Show when={hasTrash()}>
          <TextField
            label={t('manageLibraries.trashDays')}
            hint={t('manageLibraries.trashHint')}
            name="trash-days"
            type="number"
            required
            min={0}
            max={MAX_TRASH_DAYS}
            inputmode="numeric"
            autocomplete="off"
            value={draft.fields.trashDays}
            error={form.problem.ofField('trashDays')}
            onInput={(event) => draft.set('trashDays', event.currentTarget.value)}
            class="max-w-72"
          />
        </Show>
        <FormError
          text={form.problem.general({ fields: ['name', 'path', 'scanSchedule', 'trashDays'], codes: ['path_', 'duplicate_name'] })}
        />
        <FormButtons
          label={props.library ? t('action.save') : t('manageLibraries.add')}
          isBusy={form.isBusy()}
          isReady
          onCancel={props.onClose}
        />
      </form>
    </Dialog>
  )
}
