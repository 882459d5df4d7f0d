import { Key } from '@solid-primitives/keyed'
import { useQueryClient } from '@tanstack/solid-query'
import { Copy, KeyRound, Trash2 } from 'lucide-solid'
import { createSignal, Show } from 'solid-js'
import { createToken, deleteToken, tokensQuery } from '../../api/auth.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Panel } from '../../components/panel.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TextField } from '../../components/text-field.tsx'
import { t } from '../../i18n/settings.ts'
import { copyText } from '../../primitives/copy-text.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createRowFocus } from '../../primitives/create-row-focus.ts'
import { createSubmit } from '../../primitives/form-problem.ts'
import { formatDate } from '../../primitives/format.ts'
import { notify, notifyError } from '../../primitives/notify.ts'
import { onChange } from '../../primitives/on-change.ts'
import { useUser } from '../../primitives/session.ts'

const NewToken = (props: { token: string }) => {
  const copy = async () => {
    await copyText(props.token)
    notify(t('action.copied'))
  }
  return (
    <div class="mb-4 rounded-card bg-success-soft p-4" role="status">
      <p class="mb-2 text-small font-semibold text-success">{t('settings.tokenOnce')}</p>
      <div class="flex items-center gap-2">
        <code class="min-w-0 grow rounded-chip bg-bg px-3 py-2 font-mono text-caption break-all select-all">{props.token}</code>
        <IconButton label={t('settings.copy')} onClick={() => void copy().catch(notifyError)}>
          <Copy size={18} />
        </IconButton>
      </div>
    </div>
  )
}

export const TokensPanel = () => {
  const client = useQueryClient()
  const tokens = createQuery(() => tokensQuery)
  const [name, setName] = createSignal('')
  const [created, setCreated] = createSignal<{ id: string; token: string }>()
  const user = useUser()
  // Somebody else has signed in in another tab, perhaps.
  onChange(
    () => user().id,
    () => setCreated(undefined),
  )
  const form = createSubmit(async () => {
    setCreated(await createToken(name().trim()))
    setName('')
    await client.invalidateQueries({ queryKey: queryKeys.tokens })
  })
  let list: HTMLUListElement | undefined
  const [removing, setRemoving] = createSignal<string>()
  const keepPlace = createRowFocus({
    rows: () => tokens.data?.tokens ?? [],
    isBusy: () => removing() !== undefined,
    list: () => list,
    heading: () => list?.closest('section')?.querySelector('h2'),
  })
  const remove = async (token: { id: string }) => {
    keepPlace(token)
    setRemoving(token.id)
    try {
      await deleteToken(token.id)
      if (created()?.id === token.id) setCreated(undefined)
    } catch (error) {
      notifyError(error)
    }
    await client.invalidateQueries({ queryKey: queryKeys.tokens })
    setRemoving(undefined)
  }
  return (
    <Panel title={t('settings.tokens')} lead={t('settings.tokensLead')}>
      <Show when={created()}>{(made) => <NewToken token={made().token} />}</Show>
      <QueryView query={tokens} skeleton={<Skeleton class="h-14 w-full" />}>
        {(data) => (
          <ul ref={list} class="mb-4 divide-y divide-line">
            <Key each={data().tokens} by="id" fallback={<li class="text-small text-muted">{t('settings.noTokens')}</li>}>
              {(token) => (
                <li class="flex items-center gap-4 py-3">
                  <KeyRound size={20} class="shrink-0 text-muted" aria-hidden="true" />
                  <div class="min-w-0 grow">
                    <p class="truncate text-small font-semibold">{token().name}</p>
                    <p class="truncate text-caption text-muted">{t('settings.tokenCreated', formatDate(token().createdAt))}</p>
                  </div>
                  <ConfirmButton
                    size="small"
                    isCompact
                    label={t('settings.deleteToken', token().name)}
                    armedLabel={t('action.delete')}
                    icon={<Trash2 size={16} aria-hidden="true" />}
                    disabled={removing() !== undefined}
                    isBusy={removing() === token().id}
                    onConfirm={() => void remove(token())}
                  />
                </li>
              )}
            </Key>
          </ul>
        )}
      </QueryView>
      <form onSubmit={form.submit} class="flex flex-col gap-3">
        <div class="flex max-w-120 flex-col gap-3 sm:flex-row sm:items-end sm:gap-2">
          <TextField
            class="grow"
            label={t('settings.tokenName')}
            name="token-name"
            autocomplete="off"
            required
            value={name()}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" isBusy={form.isBusy()} class="max-sm:self-start">
            {t('settings.createToken')}
          </Button>
        </div>
        <FormError text={form.problem.general()} />
      </form>
    </Panel>
  )
}
