/** Why an NFO file says nothing to us. */
type NfoErrorCode = 'too_large' | 'too_much_markup' | 'doctype' | 'not_sound' | 'wrong_root' | 'no_root' | 'other_episodes'

const MESSAGES: Record<NfoErrorCode, string> = {
  too_large: 'The NFO file is larger than 1 MiB.',
  too_much_markup: 'The NFO file has more elements than metadata could have.',
  doctype: 'The NFO file has a document type declaration, which could lead out of it.',
  not_sound: 'The NFO file is not sound XML, or ends too early.',
  wrong_root: 'The NFO file describes something of another kind.',
  no_root: 'The NFO file holds no metadata.',
  other_episodes: 'The NFO file describes several episodes, and none of them is this one.',
}

export class NfoError extends Error {
  readonly code: NfoErrorCode

  constructor(code: NfoErrorCode, cause?: unknown) {
    super(MESSAGES[code], { cause })
    this.name = 'NfoError'
    this.code = code
  }
}
