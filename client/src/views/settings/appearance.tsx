import { useQueryClient } from '@tanstack/solid-query'
import { Monitor, Moon, Sun } from 'lucide-solid'
import { GRID_SIZES, THEMES, type UserSettings } from '../../../../src/domain/user-settings.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { GridSize, Theme } from '../../api/types.ts'
import { changeUserSettings } from '../../api/user-settings.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { SegmentedControl } from '../../components/segmented-control.tsx'
import { t } from '../../i18n/settings.ts'
import { defaultGridSize, setDefaultGridSize } from '../../primitives/create-card-size.ts'
import { notifyError } from '../../primitives/notify.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { applyTheme, theme } from '../../primitives/theme.ts'
import { LanguagePanel } from './language-panel.tsx'

const THEME_ICONS = { dark: Moon, light: Sun, system: Monitor }

export const Appearance = () => {
  createPageTitle(() => [t('settings.appearance'), t('settings.title')])
  const client = useQueryClient()
  const save = async (changes: Partial<UserSettings>) => {
    try {
      await changeUserSettings(changes)
    } catch (error) {
      notifyError(error)
    }
    await client.invalidateQueries({ queryKey: queryKeys.userSettings })
  }
  return (
    <>
      <PageHeader title={t('settings.appearance')} lead={t('settings.appearanceLead')} />
      <div class="flex max-w-180 flex-col gap-6">
        <Panel title={t('settings.theme')} lead={t('settings.themeLead')}>
          <div class="flex">
            <SegmentedControl<Theme>
              label={t('settings.theme')}
              value={theme()}
              options={THEMES.map((value) => {
                const Icon = THEME_ICONS[value]
                return {
                  value,
                  label: t(`settings.themes.${value}`),
                  short: t(`settings.themes.${value}`),
                  icon: <Icon size={16} aria-hidden="true" />,
                }
              })}
              onSelect={(value) => {
                applyTheme(value)
                void save({ theme: value })
              }}
            />
          </div>
        </Panel>
        <LanguagePanel onSave={save} />
        <Panel title={t('settings.gridSize')} lead={t('settings.gridSizeLead')}>
          <div class="flex">
            <SegmentedControl<GridSize>
              label={t('settings.gridSize')}
              value={defaultGridSize()}
              options={GRID_SIZES.map((value) => ({ value, label: t(`library.sizes.${value}`) }))}
              onSelect={(value) => {
                setDefaultGridSize(value)
                void save({ gridSize: value })
              }}
            />
          </div>
        </Panel>
      </div>
    </>
  )
}
