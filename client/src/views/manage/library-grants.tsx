import { Key } from '@solid-primitives/keyed'
import { Show } from 'solid-js'
import type { User } from '../../api/types.ts'
import { CheckboxField } from '../../components/checkbox-field.tsx'
import { Panel } from '../../components/panel.tsx'
import { SwitchField } from '../../components/switch-field.tsx'
import { t } from '../../i18n/manage.ts'
import { createLibraries } from '../../primitives/libraries.ts'

interface LibraryGrantsProps {
  /** With what was chosen and is not answered yet: the next click goes on from it. */
  user: Pick<User, 'role' | 'libraryIds'>
  /** Null: all libraries, also later ones. */
  onChange: (libraryIds: number[] | null) => void
}

/** Which libraries a user may see. What is not granted does not exist for them. */
export const LibraryGrants = (props: LibraryGrantsProps) => {
  const { libraries } = createLibraries()
  const granted = () => props.user.libraryIds
  const isAll = () => props.user.role === 'admin' || granted() === null
  const toggle = (id: number, isGranted: boolean) => {
    const others = (granted() ?? []).filter((known) => known !== id)
    props.onChange(isGranted ? [...others, id] : others)
  }
  return (
    <Panel title={t('users.access')} lead={t('users.accessLead')}>
      <SwitchField
        label={t('users.allLibraries')}
        hint={t('users.allLibrariesHint')}
        isOn={isAll()}
        disabled={props.user.role === 'admin'}
        onChange={(isOn) => props.onChange(isOn ? null : libraries().map(({ id }) => id))}
      />
      <Show when={!isAll()}>
        <div class="mt-2 border-t border-line pt-2">
          <Key each={libraries()} by="id">
            {(library) => (
              <CheckboxField
                label={library().name}
                isChecked={granted()?.includes(library().id) ?? true}
                onChange={(isGranted) => toggle(library().id, isGranted)}
              />
            )}
          </Key>
        </div>
      </Show>
    </Panel>
  )
}
