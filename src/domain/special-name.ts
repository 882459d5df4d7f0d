/**
 * What names say of specials: `SP01`, `OVA - 2`, `05 - OVA`, openings without their credits, menus, the extras of a season.
 * Sources: fansub habits and the cases that Sonarr's and Anitomy's own tests list.
 */

/** The long word only at the start, as titles speak of specials too. */
const NUMBERED = /(?:(?<![\p{L}\d])(?:sp|ova|oad|oav)|^specials?)[\s._\-\][]{0,4}(\d{1,2})(?:v\d)?(?![\p{L}\d])/iu
/** Net animation in capitals alone, since "ona" is a word to others. */
const NET_ANIMATION = /(?<![\p{L}\d])ONA[\s._\-\][]{0,4}(\d{1,2})(?:v\d)?(?![\p{L}\d])/u
/** `Show - Extra 1`, `Show - Preview 02`: only behind the series' name. */
const FIRST_NUMBERED = /^(?:extra|preview)[\s._-]{1,3}(\d{1,2})(?:v\d)?(?![\p{L}\d])/iu
/** `Show - 01 - OVA [720p]` */
const BEHIND_NUMBER = /(?<![\p{L}\d.])(\d{1,3})(?:v\d)?[ _.]+[-–][ _.]+(?:ova|oad|oav|ovd)(?=$|[ _.[(])/iu
const FIRST_WORD = /^(?:ova|oad|oav)(?![\p{L}\d])/iu
const IN_BRACKETS = /[[【](?:ova|oad|oav)[\]】]/i
const CREDITLESS = /(?<![\p{L}\d])(?:nc(?:op|ed)(?=v\d|[^\p{L}]|$)|creditless(?!\p{L}))/iu
/** What groups find on discs besides: menus, commercials and promotional videos, `[Menu01]`, `[CM02]`, `[PV_EP01]`. */
const OF_DISC = /[[【](?:menu|cm|pv|preview|trailer|teaser)[\s_]?\d{0,2}(?:_[^\]】]*)?[\]】]/i
/** `OP1`, `ED2v2`, in capitals: `One Piece` is `OP` to many, but not behind its own name. */
const OPENING = /^(?:OP|ED)[\s._]?\d{1,2}(?:v\d)?(?![\p{L}\d])/u
const OPENING_IN_BRACKETS = /[[【](?:OP|ED)[\s_]?\d{0,2}(?:v\d)?[\]】]/
const WHOLE_OF_DISC = /^(?:menu|cm|pv)[\s._-]*\d{0,2}$/i
/** `Show.S03.Extras.02`, `Show_-_S03_DVD_Bonus`: the numbers behind it count these, and not the season's episodes. */
const OF_SEASON = /(?<![\p{L}\d])S(\d{1,2})[ ._-]*(?:DVD[ ._-]*)?(?:Extras?|Bonus|Specials?(?!.?edition))(?![\p{L}\d])/iu

/**
 * The digits of `SP01`, `OVA 2` or `01 - OVA`. `isFirst`: whether the name's first word is the first one behind the series'
 * name.
 */
export const findSpecialNumber = (name: string, isFirst: boolean): string | undefined =>
  (NUMBERED.exec(name) ?? NET_ANIMATION.exec(name) ?? (isFirst ? FIRST_NUMBERED.exec(name) : null) ?? BEHIND_NUMBER.exec(name))?.[1]

/** Whether the name is a special's only as net animation, which whole series are as well. */
export const isNetAnimation = (name: string): boolean => !NUMBERED.test(name) && NET_ANIMATION.test(name)

/** `OVA`, in brackets or as the first word. */
export const isUnnumberedSpecial = (name: string, isFirst: boolean): boolean => IN_BRACKETS.test(name) || (isFirst && FIRST_WORD.test(name))

/**
 * What goes with episodes or a film and is none: openings and endings without their credits (`NCOP`, `NCED`, "Creditless"),
 * menus, commercials. `isWhole`: whether the name is all that there is, so that the word needs no brackets.
 */
export const isAside = (name: string, isWhole: boolean): boolean =>
  CREDITLESS.test(name) ||
  OF_DISC.test(name) ||
  OPENING_IN_BRACKETS.test(name) ||
  (isWhole && (WHOLE_OF_DISC.test(name) || OPENING.test(name)))

/** The season that a name without an episode belongs to. */
export const seasonOfExtra = (name: string): number | undefined => {
  const [, season] = OF_SEASON.exec(name) ?? []
  return season === undefined ? undefined : Number(season)
}
