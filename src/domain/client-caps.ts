/**
 * What a browser says that it can play: containers and codecs, by these names, divided by commas. The browser is asked for
 * it (`MediaCapabilities`, `canPlayType`) and not guessed from its name (Stash #2226, #4276).
 */

export const CAPABILITIES = [
  ...['mp4', 'mov', 'webm', 'mkv', 'ogg', 'mp3', 'flac', 'wav', 'aac'],
  // `h264-10`: more than 8 bits a sample, or more colour than 4:2:0.
  ...['h264', 'h264-10', 'hevc', 'av1', 'vp8', 'vp9', 'theora'],
  ...['opus', 'vorbis', 'ac3', 'eac3', 'alac', 'pcm', 'dts'],
] as const
export type Capability = (typeof CAPABILITIES)[number]
export type Capabilities = ReadonlySet<string>

/** What every current browser plays, for clients that do not say. */
const DEFAULT_CAPABILITIES: Capabilities = new Set<Capability>([
  ...(['mp4', 'webm', 'mp3', 'flac', 'wav', 'aac'] as const),
  ...(['h264', 'vp8', 'vp9', 'opus', 'vorbis', 'pcm'] as const),
])

/** Names that we do not know mean nothing here: a newer client may know more than its server. */
export const parseCapabilities = (text: string | undefined): Capabilities =>
  text === undefined
    ? DEFAULT_CAPABILITIES
    : new Set(
        text
          .toLowerCase()
          .split(',')
          .map((name) => name.trim()),
      )
