import { type JSX, Show } from 'solid-js'
import {
  MAX_SIDE_PADDING,
  READER_BACKGROUNDS,
  READER_FITS,
  READER_MODES,
  READER_TAP_ZONES,
  type ReaderSettings,
  type ReadingDirection,
} from '../../../../src/domain/reader-settings.ts'
import { RangeField } from '../../components/range-field.tsx'
import { Select } from '../../components/select.tsx'
import { SwitchField } from '../../components/switch-field.tsx'
import { t } from '../../i18n/reader.ts'

const PADDING_STEP = 5

interface ReaderSettingsFieldsProps {
  settings: ReaderSettings
  /** Shows what matters for it alone; without it everything is shown. */
  direction?: ReadingDirection | undefined
  onChange: (changes: Partial<ReaderSettings>) => void
}

const Row = (props: { children: JSX.Element }) => <div class="grid gap-4 sm:grid-cols-2">{props.children}</div>

/** How manga is read, for one series or for all of them. */
export const ReaderSettingsFields = (props: ReaderSettingsFieldsProps) => {
  const isFor = (...directions: ReadingDirection[]) => props.direction === undefined || directions.includes(props.direction)
  return (
    <div class="flex flex-col gap-4">
      <Row>
        <Select
          label={t('reader.mode')}
          value={props.settings.mode}
          options={READER_MODES.map((value) => ({ value, label: t(`reader.modes.${value}`) }))}
          onSelect={(mode) => props.onChange({ mode })}
        />
        <Select
          label={t('reader.fit')}
          value={props.settings.fit}
          options={READER_FITS.map((value) => ({ value, label: t(`reader.fits.${value}`) }))}
          onSelect={(fit) => props.onChange({ fit })}
        />
        <Select
          label={t('reader.background')}
          value={props.settings.background}
          options={READER_BACKGROUNDS.map((value) => ({ value, label: t(`reader.backgrounds.${value}`) }))}
          onSelect={(background) => props.onChange({ background })}
        />
        <Select
          label={t('reader.tapZones')}
          value={props.settings.tapZones}
          options={READER_TAP_ZONES.map((value) => ({ value, label: t(`reader.zones.${value}`) }))}
          onSelect={(tapZones) => props.onChange({ tapZones })}
        />
      </Row>
      <Show when={isFor('webtoon')}>
        <RangeField
          label={t('reader.sidePadding')}
          value={props.settings.sidePadding}
          min={0}
          max={MAX_SIDE_PADDING}
          step={PADDING_STEP}
          text={t('reader.percent', props.settings.sidePadding)}
          onInput={(sidePadding) => props.onChange({ sidePadding })}
        />
      </Show>
      <div class="divide-y divide-line">
        <Show when={isFor('ltr', 'rtl')}>
          <SwitchField
            label={t('reader.doublePage')}
            hint={t('reader.doublePageHint')}
            isOn={props.settings.doublePage}
            onChange={(doublePage) => props.onChange({ doublePage })}
          />
          <SwitchField
            label={t('reader.coverAlone')}
            hint={t('reader.coverAloneHint')}
            isOn={props.settings.coverAlone}
            onChange={(coverAlone) => props.onChange({ coverAlone })}
          />
        </Show>
        <SwitchField
          label={t('reader.invertTaps')}
          isOn={props.settings.invertTaps}
          onChange={(invertTaps) => props.onChange({ invertTaps })}
        />
      </div>
    </div>
  )
}
