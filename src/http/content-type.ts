/**
 * What a user's file may be in our origin. Types that a browser can run (HTML, SVG, XML, PDF with scripts) are sent as
 * downloads of no type; everything else is taken at the word of its name, and `nosniff` keeps the browser to it.
 */

import { extensionOf } from '../domain/media-file.ts'

const INLINE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'image/jpeg': 'jpg jpeg jpe jfif tbn mpo jps insp',
    'image/png': 'png pns',
    'image/apng': 'apng',
    'image/webp': 'webp',
    'image/gif': 'gif',
    'image/avif': 'avif',
    'image/bmp': 'bmp dib',
    'image/tiff': 'tif tiff',
    'image/heic': 'heic',
    'image/heif': 'heif hif',
    'video/mp4': 'mp4 m4v mp mp~2',
    'video/webm': 'webm',
    'video/x-matroska': 'mkv',
    'video/quicktime': 'mov qt',
    'video/x-msvideo': 'avi',
    'video/ogg': 'ogv',
    'video/3gpp': '3gp',
    'video/mp2t': 'ts m2ts mts',
    'audio/mpeg': 'mp3',
    'audio/mp4': 'm4a m4b',
    'audio/aac': 'aac',
    'audio/flac': 'flac',
    'audio/ogg': 'ogg oga opus',
    'audio/webm': 'weba',
    'audio/wav': 'wav',
    'text/vtt; charset=utf-8': 'vtt',
    'text/plain; charset=utf-8': 'txt text log md nfo srt',
  }).flatMap(([type, extensions]) => extensions.split(' ').map((extension): [string, string] => [extension, type])),
)

/** Null for files that are only ever sent as a download. */
export const inlineTypeOf = (name: string): string | null => INLINE.get(extensionOf(name)) ?? null
