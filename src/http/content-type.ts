/**
 * What a user's file may be in our origin. Types that a browser can run (HTML, SVG, XML, PDF with scripts) are sent as
 * downloads of no type; everything else is taken at the word of its name, and `nosniff` keeps the browser to it.
 */

const INLINE: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  jfif: 'image/jpeg',
  tbn: 'image/jpeg',
  png: 'image/png',
  apng: 'image/apng',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  bmp: 'image/bmp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  heic: 'image/heic',
  heif: 'image/heif',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
  mov: 'video/quicktime',
  avi: 'video/x-msvideo',
  ogv: 'video/ogg',
  ts: 'video/mp2t',
  m2ts: 'video/mp2t',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
  vtt: 'text/vtt; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  md: 'text/plain; charset=utf-8',
  nfo: 'text/plain; charset=utf-8',
  srt: 'text/plain; charset=utf-8',
}

/** Null for files that are only ever sent as a download. */
export const inlineTypeOf = (name: string): string | null => INLINE[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? null
