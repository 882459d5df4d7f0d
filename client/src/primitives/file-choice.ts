/** Which files of a library are looked at, by what people call them: `files=pictures,videos` in the address. */

import type { MediaKind } from '../../../src/domain/item-type.ts'

export const FILE_CHOICES = ['pictures', 'videos', 'others'] as const
export type FileChoice = (typeof FILE_CHOICES)[number]

const KINDS: Record<FileChoice, readonly MediaKind[]> = {
  pictures: ['image'],
  videos: ['video'],
  others: ['audio', 'document', 'archive', 'other'],
}

export const filesIn = (get: (name: string) => string): FileChoice[] =>
  FILE_CHOICES.filter((choice) => get('files').split(',').includes(choice))

/** None is all of them. */
export const kindsOf = (files: readonly FileChoice[]): MediaKind[] => files.flatMap((choice) => KINDS[choice])
