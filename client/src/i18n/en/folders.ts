/** Of the folders of a mixed library. */

import { counted } from '../counted.ts'

export const foldersTexts = {
  folders: {
    show: 'Show',
    all: 'All files',
    folders: 'Folders',
    way: 'Folder',
    list: 'Folders in here',
    items: counted('item', 'items'),
    below: (folder: string) => `In “${folder}” and the folders below it`,
    goneHeading: 'This folder is not there',
    gone: 'It was moved or deleted before the last scan, or nothing in it can be shown.',
    up: (folder: string) => `Up to ${folder}`,
  },
}
