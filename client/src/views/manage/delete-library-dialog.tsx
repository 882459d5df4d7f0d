import { useQueryClient } from '@tanstack/solid-query'
import { Download } from 'lucide-solid'
import { Show } from 'solid-js'
import { deleteLibrary } from '../../api/libraries.ts'
import { libraryContentsQuery } from '../../api/library-contents.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { exportUrl } from '../../api/tag-import.ts'
import type { Library } from '../../api/types.ts'
import { FileLinkButton } from '../../components/button.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TypedConfirm } from '../../components/typed-confirm.tsx'
import { t } from '../../i18n/manage.ts'
import { createOnward } from '../../primitives/create-onward.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { notify } from '../../primitives/notify.ts'
import { problemText } from '../../primitives/problem-text.ts'

export const DeleteLibraryDialog = (props: { library: Library; onClose: () => void }) => {
  const client = useQueryClient()
  const onward = createOnward()
  const contents = createQuery(() => ({
    ...libraryContentsQuery(props.library.id),
    // Somebody may have tagged since the page was opened.
    refetchOnMount: 'always',
  }))
  const confirm = async () => {
    const { id, name } = props.library
    const goOn = onward()
    await deleteLibrary(id)
    goOn('/manage/libraries', { replace: true })
    client.removeQueries({ queryKey: queryKeys.libraryContent(id) })
    // Among the libraries that somebody was granted it would be sent back to the server.
    await Promise.all([queryKeys.libraries, queryKeys.users].map((queryKey) => client.invalidateQueries({ queryKey })))
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
    >
      <div class="flex flex-col gap-3 rounded-card border border-line p-3">
        <p class="text-small tabular-nums">
          <Show
            when={contents.isSuccess && contents.data}
            fallback={
              <Show when={contents.error} fallback={<Skeleton class="h-5 w-60" />}>
                {(error) => <span class="text-danger">{problemText(error())}</span>}
              </Show>
            }
          >
            {(known) => (
              <>
                {t(
                  'manageLibraries.deleteForgets',
                  t('manageLibraries.itemCount', known().items),
                  t('manageLibraries.tagCount', known().assignments),
                )}
              </>
            )}
          </Show>
        </p>
        <Show when={contents.data?.assignments}>
          <p class="text-small text-muted">{t('manageLibraries.deleteExportHint')}</p>
          <FileLinkButton href={exportUrl(props.library.id)} download="" class="self-start">
            <Download size={18} aria-hidden="true" />
            {t('manageLibraries.deleteExport')}
          </FileLinkButton>
        </Show>
      </div>
    </TypedConfirm>
  )
}
