import { Monitor, Moon, Sun } from 'lucide-solid'
import { DEFAULT_SORTS, GRID_SIZES, THEMES } from '../../../../src/domain/user-settings.ts'
import type { GridSize, Theme } from '../../api/types.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { SegmentedControl } from '../../components/segmented-control.tsx'
import { Select } from '../../components/select.tsx'
import { SwitchField } from '../../components/switch-field.tsx'
import { t } from '../../i18n/settings.ts'
import { defaultGridSize, setDefaultGridSize } from '../../primitives/create-card-size.ts'
import { createUserSettings } from '../../primitives/create-user-settings.ts'
import { setDefaultSort } from '../../primitives/library-sort.ts'
import { isMotionReduced, reduceMotion } from '../../primitives/motion.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { applyTheme, theme } from '../../primitives/theme.ts'
import { LanguagePanel } from './language-panel.tsx'

/** Chance is an order for a scroll, not for a library to begin with. */
const SORTS = DEFAULT_SORTS.filter((sort) => sort !== 'random')
const THEME_ICONS = { dark: Moon, light: Sun, system: Monitor }

export const Appearance = () => {
  createPageTitle(() => [t('settings.appearance'), t('settings.title')])
  const { settings, change } = createUserSettings()
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
                  icon: <Icon size={16} class="max-sm:hidden" aria-hidden="true" />,
                }
              })}
              onSelect={(value) => {
                applyTheme(value)
                change({ theme: value })
              }}
            />
          </div>
        </Panel>
        <LanguagePanel language={settings().language} onChange={change} />
        <Panel title={t('settings.gridSize')} lead={t('settings.gridSizeLead')}>
          <div class="flex">
            <SegmentedControl<GridSize>
              label={t('settings.gridSize')}
              value={defaultGridSize()}
              options={GRID_SIZES.map((value) => ({ value, label: t(`library.sizes.${value}`) }))}
              onSelect={(value) => {
                setDefaultGridSize(value)
                change({ gridSize: value })
              }}
            />
          </div>
        </Panel>
        <Panel title={t('settings.defaultSort')} lead={t('settings.defaultSortLead')}>
          <Select
            label={t('settings.defaultSort')}
            isLabelHidden
            value={SORTS.find((value) => value === settings().defaultSort) ?? 'title'}
            options={SORTS.map((value) => ({ value, label: t(`library.sorts.${value}`) }))}
            onSelect={(defaultSort) => {
              setDefaultSort(defaultSort)
              change({ defaultSort })
            }}
            class="max-w-72"
          />
        </Panel>
        <Panel title={t('settings.motion')}>
          <SwitchField
            label={t('settings.reduceMotion')}
            hint={t('settings.thisDeviceOnly')}
            isOn={isMotionReduced()}
            onChange={reduceMotion}
          />
        </Panel>
      </div>
    </>
  )
}
