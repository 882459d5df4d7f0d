import { useQueryClient } from '@tanstack/solid-query'
import { deleteLibrary } from '../../api/libraries.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { Library } from '../../api/types.ts'
import { TypedConfirm } from '../../components/typed-confirm.tsx'
import { t } from '../../i18n/manage.ts'
import { createOnward } from '../../primitives/create-onward.ts'
import { notify } from '../../primitives/notify.ts'

export const DeleteLibraryDialog = (props: { library: Library; onClose: () => void }) => {
  const client = useQueryClient()
  const onward = createOnward()
  const confirm = async () => {
    const { id, name } = props.library
    const goOn = onward()
    await deleteLibrary(id)
    goOn('/manage/libraries', { replace: true })
    client.removeQueries({ queryKey: queryKeys.libraryContent(id) })
    await client.invalidateQueries({ queryKey: queryKeys.libraries })
    notify(t('manageLibraries.deleted', name))
  }
  return (
    <TypedConfirm
      title={t('manageLibraries.deleteTitle', props.library.name)}
      lead={t('manageLibraries.deleteLead')}
      name={props.library.name}
      label={t('manageLibraries.deleteConfirm', props.library.name)}
      submitLabel={t('manageLibraries.deleteSubmit')}
      onConfirm={confirm}
      onClose={props.onClose}
    />
  )
}
