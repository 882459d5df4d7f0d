import { expect, test } from 'bun:test'
import { namedDate } from '../../src/domain/named-date.ts'

const NOW = Date.UTC(2026, 5, 1)
/** Another day than any of the names: of a copy. */
const COPIED = Date.UTC(2025, 2, 3, 4, 5, 6)

/** Names of files, and when what they hold was taken; the tests run in UTC. */
const NAMES: [name: string, taken: string | null][] = [
  // WhatsApp: the day on which it was sent or received.
  ['IMG-20200101-WA0001.jpg', '2020-01-01 12:00:00'],
  ['VID-20200101-WA0001.mp4', '2020-01-01 12:00:00'],
  ['IMG-20220121-WA0046-1.jpg', '2022-01-21 12:00:00'],
  ['WhatsApp Image 2022-02-10 at 00.58.23.jpeg', '2022-02-10 00:58:23'],
  ['WhatsApp Image 2022-02-10 at 12.58.23 AM.jpeg', '2022-02-10 00:58:23'],
  ['WhatsApp Video 2022-02-10 at 1.58.23 PM (1).mp4', '2022-02-10 13:58:23'],
  ['PHOTO-2021-12-16-13-13-19.jpg', '2021-12-16 13:13:19'],
  // Telephones and cameras.
  ['IMG_20190704_182233.jpg', '2019-07-04 18:22:33'],
  ['IMG_20210921_144423_783.jpg', '2021-09-21 14:44:23.783'],
  ['IMG_20190704_182233_HDR.jpg', '2019-07-04 18:22:33'],
  ['IMG_20190704_182233~2.jpg', '2019-07-04 18:22:33'],
  ['IMG_20190704_182233123.jpg', '2019-07-04 18:22:33.123'],
  ['00000IMG_00000_BURST20190704182233123_COVER.jpg', '2019-07-04 18:22:33.123'],
  ['MVIMG_20190704_182233.jpg', '2019-07-04 18:22:33'],
  ['VID_20190704_182233.mp4', '2019-07-04 18:22:33'],
  ['PANO_20190704_182233.jpg', '2019-07-04 18:22:33'],
  ['20190704_182233.jpg', '2019-07-04 18:22:33'],
  ['20190704_182233(0).jpg', '2019-07-04 18:22:33'],
  ['20190704_182233.360', '2019-07-04 18:22:33.360'],
  ['20170516_180525.3gp', '2017-05-16 18:05:25'],
  ['WP_20150704_18_22_33_Pro.jpg', '2015-07-04 18:22:33'],
  ['WP_20150704_001.jpg', '2015-07-04 12:00:00'],
  ['DJI_20240511164405_0094_D.JPG', '2024-05-11 16:44:05'],
  ['PXL_20230415_123456789.jpg', '2023-04-15 12:34:56.789'],
  ['PXL_20250103_182702167.MP~2.jpg', '2025-01-03 18:27:02.167'],
  ['20230427_145116000_iOS.jpg', '2023-04-27 14:51:16'],
  ['IMG_20231231.jpg', '2023-12-31 12:00:00'],
  // Screenshots and recordings of the screen.
  ['Screenshot_20210504-101112.png', '2021-05-04 10:11:12'],
  ['Screenshot_20220807-195908_Firefox.png', '2022-08-07 19:59:08'],
  ['Screenshot_2022-06-21-16-51-29-164_com.whatsapp.jpg', '2022-06-21 16:51:29.164'],
  ['Screenshot 20221106 211633.com.example.user.jpg', '2022-11-06 21:16:33'],
  ['Screenshot 2021-05-04 at 10.11.12.png', '2021-05-04 10:11:12'],
  ['Screen Shot 2021-05-04 at 9.11.12 PM.png', '2021-05-04 21:11:12'],
  ['Screen Shot 2021-05-04 at 9.11.12\u202fPM.png', '2021-05-04 21:11:12'],
  ['Bildschirmfoto 2021-05-04 um 10.11.12.png', '2021-05-04 10:11:12'],
  ['Capture d’écran 2021-05-04 à 10.11.12.png', '2021-05-04 10:11:12'],
  ['Captura de pantalla 2021-05-04 a las 10.11.12.png', '2021-05-04 10:11:12'],
  ['スクリーンショット 2021-05-04 10.11.12.png', '2021-05-04 10:11:12'],
  ['Screenshot from 2021-05-04 10-11-12.png', '2021-05-04 10:11:12'],
  ['Screenshot 2021-05-04 101112.png', '2021-05-04 10:11:12'],
  ['Screen_Recording_20210504-101112_YouTube.mp4', '2021-05-04 10:11:12'],
  ['SmartSelect_20211117-165159_Samsung Internet.jpg', '2021-11-17 16:51:59'],
  // Messengers, camera uploads and editors.
  ['signal-2021-05-04-101112.jpg', '2021-05-04 10:11:12'],
  ['signal-2022-12-17-15-16-04-718.jpg', '2022-12-17 15:16:04.718'],
  ['signal-2024-08-17-21-58-10-982-1.jpg', '2024-08-17 21:58:10.982'],
  ['telegram_2020_01_30_09_57_18.jpg', '2020-01-30 09:57:18'],
  ['photo_2021-05-04_10-11-12.jpg', '2021-05-04 10:11:12'],
  ['2019-07-04 18.22.33.jpg', '2019-07-04 18:22:33'],
  ['2022-02-18 16.00.12-DCMX.png', '2022-02-18 16:00:12'],
  ['2019-10-31 155703.jpg', '2019-10-31 15:57:03'],
  ['2020-11-01T02:31:02.jpg', '2020-11-01 02:31:02'],
  ['2013.01.30 - 00.01.01 - The Gardens.jpg', '2013-01-30 00:01:01'],
  ['22-04-06 15-21-03 2160.jpg', '2022-04-06 15:21:03'],
  ['InShot_20200716_100805634.mp4', '2020-07-16 10:08:05.634'],
  // People.
  ['Photo 2019-07-04', '2019-07-04 12:00:00'],
  ['2019-07-04 Beach.jpg', '2019-07-04 12:00:00'],
  ['Beach_2019_07_04_02.jpg', '2019-07-04 12:00:00'],
  ['20190704.jpg', '2019-07-04 12:00:00'],
  ['20190704-Beach.jpg', '2019-07-04 12:00:00'],
  ['Beach (20190704).jpg', '2019-07-04 12:00:00'],
  ['1998-12-24 Christmas.jpg', '1998-12-24 12:00:00'],
  // The clock is none, the day is one.
  ['telegram_2020-01-30_09-18.jpg', '2020-01-30 12:00:00'],
  ['2020-01-30_25-57-18.jpg', '2020-01-30 12:00:00'],
  ['Screenshot 2019-05-21 at 10545.52.png', '2019-05-21 12:00:00'],
  ['Screenshot 2019-05-21 at 13.45.52 PM.png', '2019-05-21 12:00:00'],
  ['IMG_20190704_1822331234.jpg', '2019-07-04 12:00:00'],
  ['PXL_20230415_993456789.jpg', '2023-04-15 12:00:00'],
  // No dates.
  ['IMG_20231356.jpg', null],
  ['DSC_20201399.JPG', null],
  ['IMG_20230230.jpg', null],
  ['IMG_20230010.jpg', null],
  ['2020-01-00.jpg', null],
  ['1989-12-31.jpg', null],
  ['19450508.jpg', null],
  ['2026-06-04.jpg', null],
  ['IMG_20990101_101112.jpg', null],
  ['1020-01-30_09-57-18.jpg', null],
  ['IMG_1234.JPG', null],
  ['DSC02019.JPG', null],
  ['P1020304.JPG', null],
  ['FB_IMG_1629443870081.jpg', null],
  ['143760247_233509545029213_4813988660055830021_n.jpg', null],
  ['shutterstock_20110521.jpg', null],
  ['DSC_20110521.JPG', null],
  ['120190704.jpg', null],
  ['201907041.jpg', null],
  ['2019-07-041.jpg', null],
  ['2019-07_04.jpg', null],
  ['2019-07.jpg', null],
  ['2019.jpg', null],
  ['2019-2020-12.jpg', null],
  ['04-07-2019.jpg', null],
  ['88-04-06 15-21-03 2160.jpg', null],
  ['2048x1024.png', null],
  ['9ae20190704b1c2.jpg', null],
  ['', null],
]

const read = (name: string, modifiedAt = COPIED): string | null => {
  const ms = namedDate(name, modifiedAt, NOW)
  return ms === null
    ? null
    : new Date(ms)
        .toISOString()
        .replace('T', ' ')
        .replace(/(?:\.000)?Z$/, '')
}

test.each(NAMES)('%p: %p', (name, taken) => {
  expect(read(name)).toBe(taken)
})

test('of a name that tells the day alone the file tells the clock, where that is of the same day', () => {
  const onThatDay = Date.UTC(2020, 0, 1, 23, 59, 59)
  expect(read('IMG-20200101-WA0001.jpg', onThatDay)).toBe('2020-01-01 23:59:59')
  expect(read('IMG-20200101-WA0001.jpg', Date.UTC(2020, 0, 1))).toBe('2020-01-01 00:00:00')
  expect(read('IMG-20200102-WA0001.jpg', onThatDay)).toBe('2020-01-02 12:00:00')
  expect(read('IMG-20191231-WA0001.jpg', onThatDay)).toBe('2019-12-31 12:00:00')
  expect(read('IMG_20200101_101112.jpg', onThatDay)).toBe('2020-01-01 10:11:12')
})

test('a clock in a name is one of the household, but for those that count in UTC', () => {
  const zone = process.env.TZ
  process.env.TZ = 'Europe/Berlin'
  try {
    expect(read('IMG_20190704_182233.jpg')).toBe('2019-07-04 16:22:33')
    expect(read('IMG-20200101-WA0001.jpg')).toBe('2020-01-01 11:00:00')
    expect(read('PXL_20230415_123456789.jpg')).toBe('2023-04-15 12:34:56.789')
    expect(read('20230427_145116000_iOS.jpg')).toBe('2023-04-27 14:51:16')
  } finally {
    process.env.TZ = zone ?? 'UTC'
  }
})
