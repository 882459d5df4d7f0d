/** Of marking many items as watched or read at once. */

import { counted } from '../counted.ts'

export const marksTexts = {
  marks: {
    asWatched: 'Mark as watched',
    asRead: 'Mark as read',
    asUnwatched: 'Mark as unwatched',
    asUnread: 'Mark as unread',
    watched: counted('item marked as watched', 'items marked as watched'),
    read: counted('item marked as read', 'items marked as read'),
    unwatched: counted('item marked as unwatched', 'items marked as unwatched'),
    unread: counted('item marked as unread', 'items marked as unread'),
    none: 'That is how all of it was marked already.',
    leaveOut: (title: string) => `Take ${title} out of this row`,
    leftOut: (title: string) => `${title} is no longer in the row. It comes back when you open it again.`,
    undo: 'Undo',
  },
}
