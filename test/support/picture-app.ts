import { startTestApp, type TestApp } from './test-app.ts'

/** A library with one picture, for tests of what an item's own texts become. */

export const PICTURE_KEY = 'mixed_file:1:a.png'

export interface PictureApp extends TestApp {
  /** The picture as it was at the beginning: item 1 of library 1, without a text. */
  renewPicture: () => Promise<void>
}

export const startPictureApp = async (): Promise<PictureApp> => {
  const app = await startTestApp()
  const { client } = app.database
  await client.execute("INSERT INTO libraries (id, name, type, path) VALUES (1, 'Pictures', 'mixed', '/pictures')")
  const renewPicture = async (): Promise<void> => {
    await client.batch([
      'DELETE FROM media_items',
      `INSERT INTO media_items (id, item_key, library_id, item_type, path, title) VALUES (1, '${PICTURE_KEY}', 1, 'mixed_file', 'a.png', 'a')`,
    ])
  }
  return { ...app, renewPicture }
}
