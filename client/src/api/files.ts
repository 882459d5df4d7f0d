/** Addresses of bytes: for `src` and `href` attributes. */

import { apiUrl } from './http.ts'

export const fileUrl = (itemKey: string) => apiUrl('files', { itemKey })
/** Of a file that plays: the browser goes on asking where a network disk gives it a piece. */
export const playedUrl = (url: string) => `${url}&pieces=1`
export const downloadUrl = (itemKey: string, file?: string) => apiUrl('files', { itemKey, file, download: 1 })
export const gameArchiveUrl = (itemKey: string, file: string) => apiUrl('game-archive', { itemKey, file })
