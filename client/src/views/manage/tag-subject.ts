/** What a dialog of Manage → Tags is about. */
export interface TagSubject {
  what: 'tag' | 'category'
  id: number
  name: string
}
