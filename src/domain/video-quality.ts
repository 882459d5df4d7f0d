/** How large a picture is made for those who want it smaller than it is: to save data, or because their network is slow. */

import type { VideoStream } from './media-probe.ts'

/** Lines of a picture of 16:9, as people name them. */
export const VIDEO_QUALITIES = [1080, 720, 480, 360] as const
export type VideoQuality = (typeof VIDEO_QUALITIES)[number]

interface PictureBox {
  /** Pixels, even. */
  longSide: number
  shortSide: number
}

/** What a picture of this quality fits into, lying or standing: "1080p" is said of 1920 × 800, too. */
export const boxOf = (quality: VideoQuality): PictureBox => ({ longSide: Math.round((quality * 16) / 9 / 2) * 2, shortSide: quality })

/** Kilobits a second that are never exceeded: what streaming services take for the same pictures. */
export const MAX_KILOBITS: Readonly<Record<VideoQuality, number>> = { 1080: 8000, 720: 4000, 480: 2000, 360: 1000 }

const isSmaller = ({ longSide, shortSide }: PictureBox, { width, height }: Pick<VideoStream, 'width' | 'height'>): boolean =>
  Math.max(width, height) > longSide || Math.min(width, height) > shortSide

/** Those that make the picture smaller than it is, none wider than `maxWidth` pixels; best first. */
export const qualitiesBelow = (video: Pick<VideoStream, 'width' | 'height'>, maxWidth: number): VideoQuality[] =>
  VIDEO_QUALITIES.filter((quality) => boxOf(quality).longSide <= maxWidth && isSmaller(boxOf(quality), video))
