/**
 * When a picture or video was taken, as its name tells. Messengers strip the file of what the camera had written, screenshots
 * never had it; their names have it, as those of telephones, cameras and camera uploads do.
 *
 * Names: PhotoPrism's tests (pkg/txt/datetime_filepath_test.go) and #2414 for WhatsApp, ente's (upload/date.ts) for screenshots,
 * Signal and iOS, Apple's and Microsoft's for screenshots. That a Pixel counts in UTC: sortphotos #158, iNaturalistReactNative #259.
 */

import { takenAt } from './taken-at.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Before there were digital cameras a number is no date. */
const FIRST_YEAR = 1990

const dayOf = (gap: string): string => String.raw`(?<!\d)(?<year>(?:19|20)\d\d)(?<gap>${gap})(?<month>\d\d)\k<gap>(?<day>\d\d)`
const DAY = dayOf('[-_.]?')
const FRACTION = String.raw`(?:[-_.]?(?<fraction>\d{3}))?(?!\d)`
const DIGITS = String.raw`(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)`
const CLOCK = DIGITS + FRACTION
/** A clock of twelve hours has hours of one digit. */
const WRITTEN_CLOCK = String.raw`(?<hour>\d{1,2})(?<colon>[-_.:])(?<minute>\d\d)\k<colon>(?<second>\d\d)${FRACTION}(?:\s(?<half>[AP])M)?`
/** `Screenshot 2021-05-04 at 10.11.12`, in any language. */
const AT = String.raw`(?:[-_T. ]| - | \p{L}[\p{L}. ]{0,7} )`
/** Chinese, Japanese and Korean name the half of the day before the hour; 中午 is from eleven to one. */
const HALF_BEFORE = ' (?:(?<pm>下午|中午(?! ?11)|晚上|午後|오후)|(?<am>上午|中午|早上|清晨|凌晨|午前|오전)) ?'
/** What programs put before a day without a clock. Behind another word eight digits may be any number. */
const PROGRAMS = 'img|vid|stk|mvimg|pxl|wp|pano|screenshot|photo|image|video'

interface Shape {
  pattern: RegExp
  isUtc?: true
}

const shapeOf = (pattern: string): Shape => ({ pattern: new RegExp(pattern, 'iu') })

/** In the order in which they are tried. One without an hour tells the day alone. */
const SHAPES: readonly Shape[] = [
  // PXL_20230415_123456789.jpg
  { ...shapeOf(`^PXL_${DAY}_${CLOCK}`), isUtc: true },
  // 20230427_145116000_iOS.jpg
  { ...shapeOf(`^${DAY}_${CLOCK}_iOS`), isUtc: true },
  // 2021050410111200-02CB906EA538A35643C1E1484C4B947D.jpg of a Nintendo Switch
  shapeOf(String.raw`^${dayOf('')}${DIGITS}\d\d-[\dA-F]{32}(?![\dA-F])`),
  // 2021_0504_101112_001F.MP4 of a camera in a car
  shapeOf(String.raw`^(?<year>(?:19|20)\d\d)_(?<month>\d\d)(?<day>\d\d)_${DIGITS}(?!\d)`),
  // vlcsnap-2021-05-04-10h11m12s123.png
  shapeOf(String.raw`${DAY}[-_ ](?<hour>\d\d)h(?<minute>\d\d)m(?<second>\d\d)s(?<fraction>\d{3})?(?!\d)`),
  // IMG_20190704_182233.jpg, Screenshot_20210504-101112_Firefox.png, DJI_20230415123456_0001_D.JPG, signal-2021-05-04-101112.jpg
  shapeOf(`${DAY}${AT}?${CLOCK}`),
  // 截屏2021-05-04 上午10.11.12.png, 스크린샷 2021-05-04 오후 3.11.12.png
  shapeOf(DAY + HALF_BEFORE + WRITTEN_CLOCK),
  // 2019-07-04 18.22.33.jpg, photo_2021-05-04_10-11-12.jpg, Screen Shot 2021-05-04 at 9.11.12 PM.png, WP_20150704_18_22_33_Pro.jpg
  shapeOf(`${DAY}${AT}${WRITTEN_CLOCK}`),
  // 22-04-06 15-21-03 2160.jpg
  shapeOf(String.raw`^(?<short>\d\d)-(?<month>\d\d)-(?<day>\d\d) ${WRITTEN_CLOCK} \d{4}(?!\d)`),
  // Photo 2019-07-04.jpg
  shapeOf(String.raw`${dayOf('[-_.]')}(?!\d)`),
  // IMG-20200101-WA0001.jpg, 20190704.jpg, Beach (20190704).jpg
  shapeOf(String.raw`(?:^|[ (]|(?<!\p{L})(?:${PROGRAMS})[-_]?)${dayOf('')}(?!\d)`),
]

/** What every shape has, so that the eleven of them are not tried on names that tell no day. */
const MAYBE_DAY = /(?:19|20)\d\d[-_.]?\d\d[-_.]?\d\d|^\d\d-\d\d-\d\d /

const hourOf = (hour: string, half: string | undefined): number => {
  if (half === undefined) return Number(hour)
  // In Japan noon is 午後0.
  const isOfTwelve = Number(hour) <= 12
  return isOfTwelve ? (Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0) : Number.NaN
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

interface Moment {
  ms: number
  /** Then `ms` is when the day begins. */
  isDay: boolean
}

/** What the shape says of the name; undefined where the name does not have it, or that cannot be. */
const momentOf = ({ pattern, isUtc }: Shape, name: string, now: number): Moment | undefined => {
  const groups = pattern.exec(name)?.groups
  if (!groups) return undefined
  const { short, year = `20${short}`, month, day, hour, minute, second, pm, am, half = (pm && 'P') ?? (am && 'A'), fraction } = groups
  const clock = hour === undefined ? '00:00:00' : `${twoDigits(hourOf(hour, half))}:${minute}:${second}`
  const time = `${year}:${month}:${day} ${clock}`
  const ms = Number(year) < FIRST_YEAR ? null : takenAt([{ time, offset: isUtc && 'Z' }], now)
  return ms === null ? undefined : { ms: ms + Number(fraction ?? 0), isDay: hour === undefined }
}

/**
 * Milliseconds since the epoch; null where the name tells no possible moment. Of a name that tells the day alone, the clock is that
 * of `modifiedAt` where it is the same day (PhotoPrism #3575), else noon: that is the same day in nearly all time zones.
 */
export const namedDate = (fileName: string, modifiedAt: number, now: number): number | null => {
  // No other letter becomes an ASCII one of these in composed form, nor are any of these joined to a mark.
  if (!MAYBE_DAY.test(fileName)) return null
  const name = fileName.normalize('NFC')
  for (const shape of SHAPES) {
    const moment = momentOf(shape, name, now)
    if (!moment) continue
    const { ms, isDay } = moment
    if (!isDay) return ms
    return modifiedAt >= ms && modifiedAt < ms + DAY_MS ? modifiedAt : ms + DAY_MS / 2
  }
  return null
}
