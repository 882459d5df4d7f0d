import { api } from './client.ts'
import { type UploadOptions, upload } from './upload.ts'

export type CoverKind = 'cover' | 'widecover'

export const uploadScreenshot = (itemKey: string, file: File, options?: UploadOptions) =>
  upload('game-screenshots', { itemKey, files: file }, options)
export const deleteScreenshot = (itemKey: string, name: string) => api['game-screenshots'].$delete({ query: { itemKey, name } })
export const uploadCover = (itemKey: string, { kind, file }: { kind: CoverKind; file: File }, options?: UploadOptions) =>
  upload('game-cover', { itemKey, kind, file }, options)
