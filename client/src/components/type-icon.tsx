import { BookOpen, Clapperboard, Disc3, File, FileArchive, FileText, Gamepad2, Image, Images, Tv } from 'lucide-solid'
import { Dynamic } from 'solid-js/web'
import type { ItemType, LibraryType, MediaKind } from '../../../src/domain/item-type.ts'

const LIBRARY_ICONS = { games: Gamepad2, movies: Clapperboard, tv: Tv, manga: BookOpen, mixed: Images } satisfies Record<
  LibraryType,
  unknown
>

const KIND_ICONS = {
  image: Image,
  video: Clapperboard,
  audio: Disc3,
  document: FileText,
  archive: FileArchive,
  other: File,
} satisfies Record<MediaKind, unknown>

const ITEM_LIBRARIES: Record<ItemType, LibraryType> = {
  game: 'games',
  game_series: 'games',
  movie: 'movies',
  tv_series: 'tv',
  tv_season: 'tv',
  tv_episode: 'tv',
  manga_series: 'manga',
  manga_volume: 'manga',
  mixed_file: 'mixed',
}

export const LibraryIcon = (props: { type: LibraryType; size?: number }) => (
  <Dynamic component={LIBRARY_ICONS[props.type]} size={props.size ?? 20} aria-hidden="true" class="shrink-0" />
)

/** A file of a mixed library shows its kind, everything else the type of its library. */
export const ItemIcon = (props: { itemType: ItemType; mediaKind: MediaKind | null; size?: number }) => (
  <Dynamic
    component={props.itemType === 'mixed_file' ? KIND_ICONS[props.mediaKind ?? 'other'] : LIBRARY_ICONS[ITEM_LIBRARIES[props.itemType]]}
    size={props.size ?? 24}
    aria-hidden="true"
    class="shrink-0"
  />
)
