/**
 * Numbers in file names that speak of the encoding and not of the episode, to be taken out before a bare number is read.
 * Jellyfin's issues #3669 (`1080p`), #6864 (`HEVC-10bit`, `Ma10p-720p`) and #4666 are what happens otherwise.
 */

const TAGS: readonly RegExp[] = [
  // Checksums of fansub groups: `[96978EE2]`.
  /[[(][0-9a-f]{8}[\])]/gi,
  // Picture sizes: `1920x1080`, `1080p`, `4K`.
  /(?<![\p{L}\p{N}])\d{3,4}\s?[x×]\s?\d{3,4}(?![\p{L}\p{N}])/giu,
  /(?<![\p{L}\p{N}])\d{3,4}[pi](?:\d{2,3})?(?![\p{L}\p{N}])/giu,
  /(?<![\p{L}\p{N}])[248]k(?![\p{L}\p{N}])/giu,
  // Codecs and depths: `x264`, `H.265`, `10bit`, `Hi10P`, `Ma10p`, `AV1`, `HDR10+`, `VP9`, `MPEG-4`.
  /(?<![\p{L}\p{N}])[xh][\s.]?26[3456](?![\p{L}\p{N}])/giu,
  /(?<![\p{L}\p{N}])\d{1,2}[\s-]?bits?(?![\p{L}\p{N}])/giu,
  /(?<![\p{L}\p{N}])(?:hi|ma)\d{1,2}p?(?![\p{L}\p{N}])/giu,
  /(?<![\p{L}\p{N}])(?:av1|hdr10\+?|vp[89]|mpeg[-\s.]?[124]|mp[34]|m4v|dv5|nf5)(?![\p{L}\p{N}])/giu,
  // Sound: `DDP5.1`, `AAC2.0`, `DTS-HD MA 7.1`, `AC3`, `5.1`, `320kbps`.
  /(?<![\p{L}\p{N}])(?:ddp?a?|dd\+|e?ac-?3|aac|dts(?:[-\s.]?(?:hd|x|ma|es))*|flac|opus|truehd|lpcm|pcm|atmos)[\s.]?\d(?:[.\s]\d)?(?:ch)?(?![\p{L}\p{N}])/giu,
  /(?<![\p{L}\p{N}])(?:e?ac-?3|eac3)(?![\p{L}\p{N}])/giu,
  // `1.1 Welcome` and `Lecture 1.1 - Welcome` begin with the number of a lesson.
  /(?<![\p{L}\p{N}.])(?!(?<=^(?:\p{L}+[\s_])?)\d\.\d(?:$|[\s_]+(?:-[\s_]+)?(?![xh]\.?26)\p{L}))[12567]\.[01](?:ch)?(?![\p{L}\p{N}])/giu,
  /(?<![\p{L}\p{N}])\d{2,4}(?:\.\d{1,3})?\s?(?:kbps|kbit|mbps|fps|hz|khz|mb|gb|mib|gib)(?![\p{L}\p{N}])/giu,
  // Years: `(2019)`, `[1996-2007]`.
  /[([](?:19|20)\d{2}(?:\s*[-–]\s*(?:19|20)?\d{2,4})?[)\]]/g,
]

/** `mark` is what stands in their places. */
export const withoutReleaseTags = (name: string, mark = ' '): string => TAGS.reduce((text, tag) => text.replace(tag, mark), name)

/** `1920x1080`, but `2016x231` is an episode: no picture is that wide. */
const PICTURE_SIZE = /(?<!\d)(?!20[0-3]\dx\d{3}(?!\d))\d{3,4}\s?[x×]\s?\d{3,4}(?!\d)/gi
/** Of eight hexadecimal digits, in brackets or last; one in thirty reads like `E63`. Eight decimal ones may be a date. */
const CHECKSUM = /[[(](?=\d*[a-f])[0-9a-f]{8}[\])]|(?<=[\s_]-[\s_])(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{8}$/gi

/** Without what reads like an episode that says its season: to be taken out before anything is read. */
export const withoutLookalikes = (name: string): string => name.replace(CHECKSUM, ' ').replace(PICTURE_SIZE, ' ')
