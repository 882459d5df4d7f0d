/**
 * What must be unique where names of tags, tag categories and people may not differ by case alone (API.md, 8: 409
 * `duplicate_name`): lower case, in composed form (NFC). Accents stay letters of their own: "Resume" is not "Résumé".
 */
export const nameKey = (name: string): string => name.toLowerCase().normalize('NFC')
