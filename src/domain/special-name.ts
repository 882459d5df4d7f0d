/**
 * What names say of specials: `SP01`, `OVA - 2`, `05 - OVA`, openings without their credits, the extras of a season.
 * Sources: fansub habits and the cases that Sonarr's and Anitomy's own tests list.
 */

/** The long word only behind the series' name, as titles speak of specials too. */
const NUMBERED = /(?:(?<![\p{L}\d])(?:sp|ova|oad|oav)|^specials?)[\s._\-\][]{0,3}(\d{1,2})(?:v\d)?(?![\p{L}\d])/iu
/** `Show - 01 - OVA [720p]` */
const BEHIND_NUMBER = /(?<![\p{L}\d.])(\d{1,3})(?:v\d)?[ _.]+[-–][ _.]+(?:ova|oad|oav|ovd)(?=$|[ _.[(])/iu
const FIRST_WORD = /^(?:ova|oad|oav)(?![\p{L}\d])/iu
const CREDITLESS = /(?<![\p{L}\d])(?:nc(?:op|ed)(?=v\d|[^\p{L}]|$)|creditless(?!\p{L}))/iu
/** `Show.S03.Extras.02`, `Show_-_S03_DVD_Bonus`: the numbers behind it count these, and not the season's episodes. */
const OF_SEASON = /(?<![\p{L}\d])S(\d{1,2})[ ._-]*(?:DVD[ ._-]*)?(?:Extras?|Bonus|Specials?(?!.?edition))(?![\p{L}\d])/iu

/** The digits of `SP01`, `OVA 2` or `01 - OVA`. */
export const findSpecialNumber = (name: string): string | undefined => (NUMBERED.exec(name) ?? BEHIND_NUMBER.exec(name))?.[1]

/** `OVA`, as the first word behind the series' name. */
export const isUnnumberedSpecial = (name: string): boolean => FIRST_WORD.test(name)

/** `NCOP`, `NCED` and "Creditless": an opening or an ending without its credits. */
export const isCreditless = (name: string): boolean => CREDITLESS.test(name)

/** The season that a name without an episode belongs to. */
export const seasonOfExtra = (name: string): number | undefined => {
  const [, season] = OF_SEASON.exec(name) ?? []
  return season === undefined ? undefined : Number(season)
}
