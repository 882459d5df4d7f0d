import { createSignal } from 'solid-js'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/text-field.tsx'
import { t } from '../../i18n/reader.ts'

interface GoToPageProps {
  /** From 1. */
  page: number
  count: number
  onGo: (page: number) => void
  onClose: () => void
}

export const GoToPage = (props: GoToPageProps) => {
  const [text, setText] = createSignal(String(props.page))
  const isPage = () => Number.isInteger(Number(text())) && Number(text()) >= 1 && Number(text()) <= props.count
  const submit = (event: Event) => {
    event.preventDefault()
    if (!isPage()) return
    props.onGo(Number(text()) - 1)
    props.onClose()
  }
  return (
    <Dialog isOverStage title={t('reader.goTo')} onClose={props.onClose}>
      <form onSubmit={submit} class="flex flex-col gap-4" novalidate>
        <TextField
          label={t('reader.page')}
          inputmode="numeric"
          autocomplete="off"
          value={text()}
          error={isPage() || text() === '' ? undefined : t('reader.noPage', props.count)}
          onFocus={(event) => event.currentTarget.select()}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <div class="flex justify-end">
          <Button type="submit" variant="primary" disabled={!isPage()}>
            {t('reader.go')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
