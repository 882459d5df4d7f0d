/** What is in a video or sound file, as far as playing it depends on it. Made by `media/probe.ts`, kept in the index. */

export interface VideoStream {
  /** Number of the stream in the file. */
  index: number
  /** ffmpeg's names of codec and pixel format; the latter may be unknown. */
  codec: string
  pixelFormat: string | null
  /** Pixels, as stored. */
  width: number
  height: number
  /** Frames a second; null where the file does not tell. */
  frameRate: number | null
  /** Where the last picture ends, from the file's beginning; null where the file does not tell. */
  endSeconds: number | null
  isInterlaced: boolean
  /** ffmpeg's name of the transfer characteristics; null where the file does not tell, absent as `chapters` below. */
  transfer?: string | null
  /** Frames are stored in another order than they are shown. */
  isReordered: boolean
}

export interface AudioStream {
  index: number
  codec: string
  channels: number
  /** ISO 639 as the file has it; null where it says nothing. */
  language: string | null
  title: string | null
  isDefault: boolean
  /** These three are absent where the file was looked into before anybody asked for them. */
  isCommentary?: boolean
  /** Somebody describes the picture. */
  isForVisuallyImpaired?: boolean
  isForHearingImpaired?: boolean
}

export interface SubtitleStream {
  index: number
  codec: string
  language: string | null
  title: string | null
  isDefault: boolean
  isForced: boolean
  isForHearingImpaired: boolean
}

/** It ends where the next one begins. */
export interface Chapter {
  /** As players count them. */
  startSeconds: number
  title: string | null
}

export interface MediaProbe {
  /** ffmpeg's names of the container, divided by commas: `mov,mp4,m4a,3gp,3g2,mj2`. */
  format: string
  /** Null where the file does not tell. */
  durationSeconds: number | null
  /** Time stamp of the first packet: what players call 0. */
  startSeconds: number
  /** The first one that is no cover picture. */
  video: VideoStream | null
  audio: AudioStream[]
  subtitles: SubtitleStream[]
  /** In their order. Absent where the file was looked into before anybody asked for them. */
  chapters?: Chapter[]
}
