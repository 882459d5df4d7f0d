import { getJson } from './http.ts'

export interface MangaPages {
  /** `index` counts from 0; sizes are pixels. */
  pages: { index: number; width: number | null; height: number | null }[]
  readingDirection: 'ltr' | 'rtl' | null
}

export const listMangaPages = (itemKey: string, signal?: AbortSignal) => getJson<MangaPages>('manga/pages', { itemKey }, signal)
