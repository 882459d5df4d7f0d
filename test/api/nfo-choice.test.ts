import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Tree } from '../support/library-tree.ts'
import { startScene } from '../support/scan-scene.ts'

setDefaultTimeout(60_000)

const nfo = (root: string, title: string): string => `<${root}><title>${title}</title></${root}>`

/** By the path of the item: its files, and the NFO file that is meant. Other NFO files say "wrong". */
const wrong = nfo('movie', 'wrong')
const right = nfo('movie', 'right')
const MOVIES: Record<string, { files: Tree; chosen: string }> = {
  'Plain (2000)': { files: { 'a.mkv': 1, 'movie.nfo': right, 'a.nfo': wrong, 'Plain (2000).nfo': wrong }, chosen: 'movie.nfo' },
  'Video (2000)': { files: { 'a.mkv': 1, 'a.nfo': right, 'Video (2000).nfo': wrong, 'scene.nfo': wrong }, chosen: 'a.nfo' },
  'Folder (2000)': { files: { 'a.mkv': 1, 'Folder (2000).nfo': right, 'scene.nfo': wrong }, chosen: 'Folder (2000).nfo' },
  'Capitals (2000)': { files: { 'A.MKV': 1, 'MOVIE.NFO': right, 'a.nfo': wrong }, chosen: 'MOVIE.NFO' },
  'Parts (2000)': { files: { 'film cd1.avi': 1, 'film cd2.avi': 1, 'film.nfo': right }, chosen: 'film.nfo' },
  'Part files (2000)': {
    files: { 'film cd1.avi': 1, 'film cd2.avi': 1, 'film cd1.nfo': right, 'film.nfo': wrong },
    chosen: 'film cd1.nfo',
  },
  'Part folders (2000)': {
    files: { CD1: { 'film.avi': 1, 'film.nfo': right }, CD2: { 'film.avi': 1, 'film.nfo': wrong } },
    chosen: 'CD1/film.nfo',
  },
  'Wrapped (2000)': { files: { 'Wrapped.2000.1080p': { 'w.mkv': 1, 'w.nfo': right } }, chosen: 'Wrapped.2000.1080p/w.nfo' },
  'Wrapped twice (2000)': { files: { 'W.1080p': { 'w.mkv': 1, 'w.nfo': wrong }, 'movie.nfo': right }, chosen: 'movie.nfo' },
  'Release (2000)': { files: { 'R.1080p': { 'r.mkv': 1, 'R.1080p.nfo': right } }, chosen: 'R.1080p/R.1080p.nfo' },
  'Disc (2000)': {
    files: { VIDEO_TS: { 'VTS_01_1.VOB': 10, 'VIDEO_TS.nfo': right, 'VTS_01_1.nfo': wrong }, 'movie.nfo': wrong },
    chosen: 'VIDEO_TS/VIDEO_TS.nfo',
  },
  'Disc, other case (2000)': { files: { video_ts: { 'VTS_01_1.VOB': 10, 'video_ts.NFO': right } }, chosen: 'video_ts/video_ts.NFO' },
  'Blu-ray (2000)': { files: { BDMV: { 'index.nfo': right, STREAM: { '00001.m2ts': 10 } }, 'movie.nfo': wrong }, chosen: 'BDMV/index.nfo' },
  'Versions (2000)': {
    files: {
      'Versions (2000).mkv': 1,
      'Versions (2000) - 2160p.mkv': 1,
      'Versions (2000).nfo': right,
      'Versions (2000) - 2160p.nfo': wrong,
    },
    chosen: 'Versions (2000).nfo',
  },
  'A folder in its place (2000)': { files: { 'a.mkv': 1, 'movie.nfo': { 'x.txt': 1 }, 'a.nfo': right }, chosen: 'a.nfo' },
}

test('a scan and a refresh mean the same NFO file of a film', async () => {
  await using scene = await startScene({ movies: Object.fromEntries(Object.entries(MOVIES).map(([path, { files }]) => [path, files])) })
  const libraryId = scene.idOf('movies')
  for (const [path, { chosen }] of Object.entries(MOVIES)) {
    const itemKey = `movie:${libraryId}:${path}`
    const chosenPath = async () => (await scene.index.query('SELECT nfo_path FROM media_items WHERE item_key = ?', [itemKey]))[0]
    expect([path, await chosenPath()]).toEqual([path, { nfo_path: `${path}/${chosen}` }])
    const { status, body } = await scene.admin.post('/api/nfo-refresh', { itemKey })
    expect([path, status, body.item?.title]).toEqual([path, 200, 'right'])
    expect([path, await chosenPath()]).toEqual([path, { nfo_path: `${path}/${chosen}` }])
  }
})
