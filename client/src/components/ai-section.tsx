import { type ComponentProps, Show } from 'solid-js'
import { t } from '../i18n/ai-fields.ts'
import { createCan } from '../primitives/session.ts'
import { AiFields } from './ai-fields.tsx'
import { Section } from './section.tsx'

/** What models made of an item, below what the item is; without a heading where there may be nothing under it. */
export const AiSection = (props: ComponentProps<typeof AiFields>) => {
  const can = createCan()
  return (
    <Show
      when={can('useAi')}
      fallback={
        <div class="mt-10">
          <AiFields {...props} />
        </div>
      }
    >
      <Section title={t('aiFields.title')}>
        <AiFields {...props} />
      </Section>
    </Show>
  )
}
