import { createEffect, createMemo, createSignal, For, on, onMount, Show, untrack } from 'solid-js'
import { nameKey, plainLetters, searchKey } from '../../../src/domain/name-key.ts'
import { tagNameProblem } from '../../../src/domain/tag-name.ts'
import type { Tag } from '../api/types.ts'
import { t } from '../i18n/tagging.ts'
import type { TagTarget } from '../primitives/create-item-tags.ts'
import { takeLostFocus } from '../primitives/create-row-focus.ts'
import { createTagChoices } from '../primitives/create-tag-choices.ts'
import { formatCount } from '../primitives/format.ts'
import { lastCategoryFirst, rememberCategory } from '../primitives/last-category.ts'
import { notify, notifyError } from '../primitives/notify.ts'
import { createCan } from '../primitives/session.ts'
import { categoriesWithout, groupByCategory, type TagGroup } from '../primitives/tag-groups.ts'
import { ErrorCard } from './error-card.tsx'
import { Select } from './select.tsx'
import { Skeleton } from './skeleton.tsx'
import { TagDot } from './tag-chip.tsx'
import { TagCreation } from './tag-selector-creation.tsx'
import { TagToggle } from './tag-toggle.tsx'

const ALL = 'all'

/** What the selector holds: a field, what is assigned, what is used most, and what can be made of the words in the field. */
export const TagSelectorPanel = (props: { target: TagTarget }) => {
  let field!: HTMLInputElement
  let panel!: HTMLDivElement
  const can = createCan()
  const [text, setText] = createSignal('')
  const [scope, setScope] = createSignal<number>()
  const [isAdding, setAdding] = createSignal(false)
  /** What was on when the selector was opened stays on top, and what was put on since from a list that is gone: nothing jumps under the pointer. */
  const [added, setAdded] = createSignal<readonly Tag[]>([])
  let initial: readonly Tag[] | undefined
  /** What stood in the field at Enter, while the tags for it were still on their way. */
  let entered: string | undefined
  const choices = createTagChoices({ text, categoryId: scope })
  const wanted = () => text().trim()
  const isPlain = () => wanted() === '' && scope() === undefined

  const onTop = createMemo(() => {
    initial ??= props.target.assigned()
    const ids = new Set((initial ?? []).map(({ id }) => id))
    return [...added().filter(({ id }) => !ids.has(id)), ...(initial ?? [])]
  })
  /** Without it nobody could tell whether a press puts a tag on or takes it off. */
  const isAssignedKnown = () => props.target.assigned() !== undefined
  const isReady = () => choices.isCurrent() && isAssignedKnown()
  const groups = createMemo((): TagGroup[] => {
    if (!isAssignedKnown()) return []
    const top = new Set(isPlain() ? onTop().map(({ id }) => id) : [])
    const listed = choices.tags().filter(({ id }) => !top.has(id))
    return groupByCategory(listed, choices.categories())
  })
  /** By the tags that are known: what came and went with each answer would push what is about to be pressed. The server refuses what there is already. */
  const creatable = () => {
    if (!can('manageTags') || wanted() === '' || !choices.list.isSuccess || tagNameProblem(wanted())) return []
    const possible = scope() === undefined ? choices.categories() : choices.categories().filter(({ id }) => id === scope())
    return lastCategoryFirst(categoriesWithout(wanted(), choices.tags(), possible))
  }
  /** The first tag of all: what it is to be called is known, and not yet in what. */
  const isFirst = () => can('manageTags') && !choices.isBegun() && wanted() !== '' && !tagNameProblem(wanted())
  const usageOf = (tagId: number) => {
    const usage = choices.tags().find(({ id }) => id === tagId)?.usage
    return usage === undefined ? undefined : formatCount(usage)
  }
  const calledBy = (tags: readonly Tag[], keyOf: (name: string) => string) => {
    const isCalled = (name: string | undefined) => name !== undefined && keyOf(name) === keyOf(wanted())
    const named = tags.filter(({ name }) => isCalled(name))
    return named.length > 0 ? named : tags.filter(({ alias }) => isCalled(alias))
  }
  /** Whoever types accents means them, "pêche" is no "péché", where that one can be made. */
  const meant = (): readonly Tag[] => {
    const withAccents = (name: string) => plainLetters(nameKey(name))
    const key = withAccents(wanted())
    if (key === searchKey(wanted()) || creatable().length === 0) return choices.tags()
    return choices.tags().filter(({ name, alias = name }) => [name, alias].some((one) => withAccents(one).includes(key)))
  }

  // On a touch screen a focused field brings up a keyboard, which would cover what is to be chosen from.
  onMount(() => (matchMedia('(pointer: coarse)').matches ? panel : field).focus({ preventScroll: true }))

  const putOnTop = (tag: Tag) => setAdded([tag, ...added().filter(({ id }) => id !== tag.id)])
  const toggle = (tag: Tag) => {
    // Where it goes nobody has searched for it.
    const found = { ...tag, alias: undefined }
    if (!isPlain() && props.target.stateOf(tag.id) !== 'on') putOnTop(found)
    props.target.toggle(found)
  }
  const create = async (categoryId: number) => {
    const name = wanted()
    // Whoever types on types the next one.
    setText('')
    field.focus()
    try {
      const tag = await props.target.create(name, categoryId)
      rememberCategory(categoryId)
      putOnTop(tag)
      void choices.renew()
    } catch (error) {
      if (wanted() === '') setText(name)
      notifyError(error)
    }
  }

  /**
   * Enter takes the tag that is called so, else the one that was merged under that name, else one that is but for its accents, else the
   * first that matches and is not on, and where there is none makes one. It takes nothing off: who types a name wants the tag on, also where it is.
   */
  const takeFirst = () => {
    if (wanted() === '') return
    // Whoever types fast is heard once it is known what there is.
    entered = isReady() ? undefined : wanted()
    if (entered !== undefined) return choices.ask()
    const tags = meant()
    const isOn = ({ id }: Tag) => props.target.stateOf(id) === 'on'
    const exactly = calledBy(tags, nameKey)
    const called = exactly.length > 0 ? exactly : calledBy(tags, searchKey)
    const first = called.find(isOn) ?? called[0] ?? tags.find((tag) => !isOn(tag)) ?? tags[0]
    const [category] = creatable()
    if (first) {
      if (isOn(first)) notify(t('tags.isOn', first.name))
      else toggle(first)
      setText('')
    } else if (category) void create(category.id)
    else if (isFirst()) setAdding(true)
  }

  // A tag that somebody else has merged or deleted goes when it is pressed.
  createEffect(on(groups, () => takeLostFocus(panel), { defer: true }))
  createEffect(() => {
    if (isReady() && entered === wanted()) untrack(takeFirst)
  })

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return
    const stops: Element[] = [field, ...panel.querySelectorAll('[data-tag-toggle]')]
    const at = document.activeElement ? stops.indexOf(document.activeElement) : -1
    const next = stops[at + (event.key === 'ArrowDown' ? 1 : -1)]
    if (at < 0 || !(next instanceof HTMLElement)) return
    event.preventDefault()
    next.focus()
  }

  const Toggles = (own: { tags: readonly Tag[]; noteOf?: (tagId: number) => string | undefined }) => (
    <div class="flex flex-wrap gap-2">
      <For each={own.tags.map(({ id }) => id)}>
        {(id) => (
          <Show when={own.tags.find((tag) => tag.id === id)}>
            {(tag) => (
              <TagToggle
                name={tag().name}
                category={{ id: tag().categoryId, color: tag().color, name: tag().categoryName }}
                alias={tag().alias}
                state={props.target.stateOf(id)}
                note={own.noteOf?.(id)}
                onToggle={() => toggle(tag())}
              />
            )}
          </Show>
        )}
      </For>
    </div>
  )

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows only move the focus among the controls inside
    <div ref={panel} tabIndex={-1} class="outline-none flex min-h-0 flex-col" onKeyDown={onKeyDown}>
      <div class="flex gap-2 px-4 pt-2 pb-3">
        <input
          ref={field}
          type="text"
          aria-label={can('manageTags') ? t('tags.search') : t('tags.find')}
          placeholder={can('manageTags') ? t('tags.search') : t('tags.find')}
          autocomplete="off"
          spellcheck={false}
          value={text()}
          onInput={(event) => {
            entered = undefined
            setText(event.currentTarget.value)
          }}
          onKeyDown={(event) => {
            // 229: it only ends what an input method has composed. Safari says then that nothing is composed any more.
            if (event.key !== 'Enter' || event.isComposing || event.keyCode === 229) return
            event.preventDefault()
            takeFirst()
          }}
          class="h-target-large min-w-0 grow rounded-card border border-control bg-bg px-3 text-small transition-colors hover:border-fg pointer-coarse:placeholder:text-caption"
        />
        <Show when={choices.categories().length > 1}>
          <Select
            label={t('tags.category')}
            isLabelHidden
            value={scope() === undefined ? ALL : String(scope())}
            options={[
              { value: ALL, label: t('tags.allCategories') },
              ...choices.categories().map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
            onSelect={(value) => setScope(value === ALL ? undefined : Number(value))}
            class="w-30 shrink-0"
          />
        </Show>
      </div>
      <p class="sr-only" role="status">
        {choices.isCurrent() && wanted() !== '' ? t('tags.found', choices.tags().length) : ''}
      </p>
      <div class="flex min-h-24 flex-col gap-3 overflow-y-auto px-4 pb-4">
        <Show when={isPlain() && onTop().length > 0}>
          <section>
            <h3 class="mb-2 text-caption font-semibold text-muted">{t('tags.assigned')}</h3>
            <Toggles tags={onTop()} />
          </section>
        </Show>
        <For each={groups().map(({ category }) => category.id)}>
          {(id) => (
            <Show when={groups().find(({ category }) => category.id === id)}>
              {(group) => (
                <section>
                  <h3 class="mb-2 flex items-center gap-2 text-caption font-semibold text-muted">
                    <TagDot category={group().category} />
                    {group().category.name}
                  </h3>
                  <Toggles tags={group().tags} noteOf={usageOf} />
                </section>
              )}
            </Show>
          )}
        </For>
        <Show when={choices.list.isPending || !isAssignedKnown()}>
          <Skeleton class="h-target-small w-full" />
        </Show>
        <Show when={choices.list.isLoadingError && choices.list.error}>
          {(error) => <ErrorCard error={error()} onRetry={() => void choices.list.refetch()} />}
        </Show>
        <Show when={choices.list.isSuccess && choices.tags().length === 0 && (!isPlain() || onTop().length === 0)}>
          <p class="text-small text-muted">{wanted() === '' ? t('tags.none') : t('tags.noMatch', wanted())}</p>
        </Show>
        <Show when={can('manageTags')}>
          <TagCreation
            name={wanted()}
            categories={creatable()}
            isFirst={isFirst()}
            isAdding={isAdding()}
            onAdding={setAdding}
            onCreate={(categoryId) => void create(categoryId)}
            onCategory={(category) => {
              if (choices.categories().length === 1 && wanted() !== '') return void create(category.id)
              setScope(category.id)
              field.focus()
            }}
          />
        </Show>
      </div>
    </div>
  )
}
