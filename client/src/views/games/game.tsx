import { A } from '@solidjs/router'
import { ChevronDown, Download, Gamepad2, Paperclip } from 'lucide-solid'
import { For, type JSX, Match, Show, Switch } from 'solid-js'
import { gameArchiveUrl } from '../../api/files.ts'
import type { GameExtra, GameFile, Item } from '../../api/types.ts'
import { AiFields } from '../../components/ai-fields.tsx'
import { FileLinkButton } from '../../components/button.tsx'
import { DetailHero } from '../../components/detail-hero.tsx'
import { DetailSkeleton } from '../../components/detail-skeleton.tsx'
import { FileList, type FileRow } from '../../components/file-list.tsx'
import { FolderScan } from '../../components/folder-scan.tsx'
import { ItemTags } from '../../components/item-tags.tsx'
import { Menu } from '../../components/menu.tsx'
import { PlatformIcon } from '../../components/platform-icon.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { TabLinks } from '../../components/tab-links.tsx'
import { t } from '../../i18n/details.ts'
import { createItemPage } from '../../primitives/create-item.ts'
import { createUrlChoice } from '../../primitives/create-url-state.ts'
import { download } from '../../primitives/download.ts'
import { formatBytes, formatCount, formatDate } from '../../primitives/format.ts'
import { createIsAway } from '../../primitives/library-away.ts'
import { gameSeriesPath } from '../../primitives/paths.ts'
import { forPlatformFirst, platformOf } from '../../primitives/platform.ts'
import { createCan } from '../../primitives/session.ts'
import { CoverButtons } from './cover-buttons.tsx'
import { Screenshots } from './screenshots.tsx'

const TABS = ['files', 'screenshots', 'about'] as const
const PANEL_ID = 'game-panel'

const isGameFile = (file: object): file is GameFile => 'platform' in file

const GamePage = (props: { game: Item }) => {
  const can = createCan()
  const isAway = createIsAway(() => props.game.libraryId)
  const canDownload = () => can('download') && !isAway()
  const canUpload = () => can('upload') && props.game.missingSince === null
  const [tab, setTab] = createUrlChoice('tab', TABS, () => 'files')
  const files = () => forPlatformFirst((props.game.files ?? []).filter(isGameFile), platformOf(navigator.userAgent))
  const addressOf = (file: GameExtra) => gameArchiveUrl(props.game.itemKey, file.name)
  const extras = () => props.game.extras ?? []
  const rowOf = (file: GameExtra, icon: JSX.Element, kind: string): FileRow => ({
    name: file.name,
    icon,
    kind,
    size: file.kind === 'app_bundle' ? null : file.size,
    ...(file.kind === 'app_bundle' && { sizeNote: t('item.zippedOnDownload') }),
    url: addressOf(file),
  })
  const platforms = () => [...new Set(files().map(({ platform }) => platform))]
  const screenshots = () => props.game.screenshots ?? []
  const facts = () => [...(props.game.size === null ? [] : [formatBytes(props.game.size)]), t('item.added', formatDate(props.game.addedAt))]
  return (
    <>
      <DetailHero
        item={props.game}
        over={
          <Show when={props.game.parents[0]}>
            {(parent) => (
              <A href={gameSeriesPath(props.game.libraryId, parent().itemKey)} class="rounded-chip hover:text-accent hover:underline">
                {parent().title}
              </A>
            )}
          </Show>
        }
        posterUrl={props.game.coverUrl ?? props.game.thumbnailUrl}
        backdropUrl={props.game.wideCoverUrl ?? screenshots()[0]?.url ?? null}
        posterFallback={
          <Show when={canUpload() && tab() !== 'about'} fallback={<Gamepad2 size={40} aria-hidden="true" />}>
            {/* The buttons for it stand there. */}
            <button
              type="button"
              class="flex size-full flex-col items-center justify-center gap-2 p-2 text-small -outline-offset-2 hover:text-fg"
              onClick={() => setTab('about')}
            >
              <Gamepad2 size={40} aria-hidden="true" />
              {t('upload.cover')}
            </button>
          </Show>
        }
        facts={facts()}
        chips={
          <For each={platforms()}>
            {(platform) => (
              <li class="inline-flex items-center gap-2 rounded-pill border border-line bg-surface px-3 py-1 text-caption">
                <span aria-hidden="true" class="flex text-muted">
                  <PlatformIcon platform={platform} size={14} />
                </span>
                {t(`item.platforms.${platform}`)}
              </li>
            )}
          </For>
        }
        chipsLabel={t('item.platform')}
        text={null}
        actions={
          <>
            <Show when={canDownload() && files()[0]}>
              {(file) => (
                <div class="flex max-w-full items-center gap-1">
                  <FileLinkButton href={addressOf(file())} download="" variant="primary" size="large" class="min-w-0 shrink! px-4">
                    <Download size={18} class="shrink-0" aria-hidden="true" />
                    <span class="truncate">{t('item.downloadFor', t(`item.platforms.${file().platform}`))}</span>
                  </FileLinkButton>
                  <Show when={files().length > 1}>
                    <Menu
                      label={t('item.otherDownloads')}
                      trigger={<ChevronDown size={20} />}
                      triggerClass="inline-flex size-11 shrink-0 items-center justify-center rounded-card border border-line bg-surface hover:bg-raised"
                      items={files().map((other) => ({
                        label: other.name,
                        icon: <PlatformIcon platform={other.platform} size={16} />,
                        onSelect: () => download(addressOf(other)),
                      }))}
                    />
                  </Show>
                </div>
              )}
            </Show>
            <ItemTags item={props.game} />
          </>
        }
      />
      <div class="mt-8">
        <TabLinks
          label={t('item.tabs')}
          value={tab()}
          panelId={PANEL_ID}
          onSelect={setTab}
          tabs={[
            { value: 'files', label: t('item.files'), note: formatCount(files().length + extras().length) },
            { value: 'screenshots', label: t('item.screenshots'), note: formatCount(screenshots().length) },
            { value: 'about', label: t('item.about') },
          ]}
        />
        <div id={PANEL_ID} role="tabpanel" aria-label={t(`item.${tab()}`)} class="pt-4">
          <Switch>
            <Match when={tab() === 'files'}>
              <FileList
                canDownload={canDownload()}
                areMissing={props.game.missingSince !== null}
                files={[
                  ...files().map((file) => rowOf(file, <PlatformIcon platform={file.platform} />, t(`item.platforms.${file.platform}`))),
                  ...extras().map((file) => rowOf(file, <Paperclip size={20} aria-hidden="true" />, t('item.roles.extra'))),
                ]}
              />
            </Match>
            <Match when={tab() === 'screenshots'}>
              <Screenshots game={props.game} />
            </Match>
            <Match when={tab() === 'about'}>
              <p class="max-w-[70ch] whitespace-pre-line">
                {props.game.description ?? <span class="text-muted">{t('item.noDescription')}</span>}
              </p>
              <Show when={canUpload()}>
                <h2 class="mt-8 mb-3 text-h3 font-semibold">{t('upload.editPictures')}</h2>
                <CoverButtons itemKey={props.game.itemKey} libraryId={props.game.libraryId} />
              </Show>
              <div class="mt-6">
                <AiFields item={props.game} shownText={props.game.description} />
              </div>
            </Match>
          </Switch>
        </div>
      </div>
      <FolderScan item={props.game} />
    </>
  )
}

export const Game = () => {
  const { item } = createItemPage('game')
  return (
    <QueryView isScreen query={item} skeleton={<DetailSkeleton />}>
      {(game) => <GamePage game={game()} />}
    </QueryView>
  )
}
