/** Which part of a film a saved position is in, where its files have other names by now. */

import { partsOf } from './film-parts.ts'
import { stemOf } from './media-file.ts'
import { findPartName } from './movie-file.ts'

type Files = Parameters<typeof partsOf>[0]

/** `Reds cd2.mkv` and `CD 2/Reds.mkv` are the second part. */
const numberOf = (name: string): number | undefined => {
  const [file = '', folder = ''] = name.split('/').toReversed()
  return (findPartName(stemOf(file)) ?? findPartName(folder))?.number
}

/** The part of that name, else the only one of its number, as a better encode is called otherwise; undefined where it is gone. */
const standingPart = (files: Files, saved: string): string | undefined => {
  if (files.some(({ name }) => name === saved)) return saved
  const number = numberOf(saved)
  const [part, ...others] = partsOf(files).filter(({ name }) => number !== undefined && numberOf(name) === number)
  return others.length === 0 ? part?.name : undefined
}

/** A saved place, in the part as it is called now; what was in a part that is gone begins anew. */
export const inStandingPart = <Place extends { positionSeconds: number | null; durationSeconds: number | null; file: string | null }>(
  files: Files,
  place: Place,
): Place => {
  if (place.file === null) return place
  const file = standingPart(files, place.file)
  return file === undefined ? { ...place, file: null, positionSeconds: null, durationSeconds: null } : { ...place, file }
}
