import { createDeviceChoice } from './device-choice.ts'

export const SUBTITLE_SIZES = ['small', 'medium', 'large'] as const
export type SubtitleSize = (typeof SUBTITLE_SIZES)[number]

/** Of this device: what is large on a phone is small on a wall. */
export const createSubtitleSize = () => createDeviceChoice<SubtitleSize>('subtitleSize', SUBTITLE_SIZES, 'medium')
