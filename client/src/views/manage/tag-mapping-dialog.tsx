import { useQueryClient } from '@tanstack/solid-query'
import { createSignal } from 'solid-js'
import { nameKey } from '../../../../src/domain/name-key.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { listMappings, replaceMappings } from '../../api/tag-mappings.ts'
import type { TagUsage } from '../../api/types.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FormButtons } from '../../components/form-buttons.tsx'
import { FormError } from '../../components/form-error.tsx'
import { TextField } from '../../components/text-field.tsx'
import { t } from '../../i18n/manage-tags.ts'
import { createSubmit } from '../../primitives/form-problem.ts'
import { TagChoice } from './tag-choice.tsx'

export const TagMappingDialog = (props: { onClose: () => void }) => {
  const client = useQueryClient()
  const [source, setSource] = createSignal('')
  const [tag, setTag] = createSignal<TagUsage>()
  const [isTaken, setTaken] = createSignal(false)
  const form = createSubmit(
    async () => {
      const chosen = tag()
      if (!chosen) return false
      const name = source().trim()
      const known = await listMappings()
      const hasName = known.some((mapping) => nameKey(mapping.source) === nameKey(name))
      setTaken(hasName)
      if (hasName) return false
      await replaceMappings([...known, { source: name, tagId: chosen.id }])
      await client.invalidateQueries({ queryKey: queryKeys.tagMappings })
      return true
    },
    (isDone) => isDone && props.onClose(),
  )
  const nameProblem = () => {
    if (isTaken()) return t('otherNames.taken')
    return form.problem.ofCode('invalid_request')
  }
  return (
    <Dialog onClose={props.onClose} title={t('otherNames.add')} lead={t('otherNames.lead')}>
      <form onSubmit={form.submit} class="flex flex-col gap-4">
        <TextField
          label={t('otherNames.source')}
          autocomplete="off"
          required
          value={source()}
          onInput={(event) => setSource(event.currentTarget.value)}
          error={nameProblem()}
        />
        <TagChoice tag={tag()} onChoose={setTag} />
        <FormError text={form.problem.general({ codes: ['invalid_request'] })} />
        <FormButtons
          label={t('action.add')}
          isBusy={form.isBusy()}
          isReady={tag() !== undefined && source().trim() !== ''}
          onCancel={props.onClose}
        />
      </form>
    </Dialog>
  )
}
