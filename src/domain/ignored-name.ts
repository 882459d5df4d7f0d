/**
 * Names that no scan looks at: hidden files, and what NAS boxes, operating systems and other media servers leave behind.
 * Sources: FEATURES.md 1.1; Jellyfin's ignore patterns; Synology, QNAP and TrueNAS folder names.
 */

const SYSTEM_NAMES: ReadonlySet<string> = new Set([
  // Synology, QNAP, Asustor and Western Digital
  ...['@eadir', '@tmp', '@recycle', '@recently-snapshot', '@__thumb', '#recycle', '#snapshot', '@sharebin', '@syno', '@appdata'],
  // Windows
  ...['$recycle.bin', 'recycler', 'system volume information', 'thumbs.db', 'ehthumbs.db', 'ehthumbs_vista.db', 'desktop.ini'],
  // Linux and ZFS (the dotted ones are hidden anyhow)
  ...['lost+found', 'aquota.user', 'aquota.group'],
  // macOS
  ...['__macosx', 'network trash folder', 'temporary items', 'thevolumesettingsfolder', 'icon\r'],
])

/** Synology keeps streams and resource forks beside the files that they belong to, WSL what Windows notes of a download (RomM). */
const SYSTEM_ENDINGS = ['@synoeastream', '@synoresource', ':zone.identifier']

/** How the names in the table begin: all others need not be turned to lower case and looked up. */
const MAYBE_SYSTEM = /^(?:[@#$]|re|sy|th|eh|de|lo|aq|__|ne|te|ic)/i
/** How `SYSTEM_ENDINGS` end. */
const MAYBE_ENDING = /[emr]$/i

/**
 * Left out everywhere, in every library. Two dots and more start a title: `...And Justice for All (1979)`; a lone one is the
 * folder itself, with which names in archives may begin.
 */
export const isIgnoredName = (name: string): boolean => {
  if (name.startsWith('.')) return name !== '.' && !name.startsWith('..')
  if (MAYBE_SYSTEM.test(name) && SYSTEM_NAMES.has(name.toLowerCase())) return true
  return (
    MAYBE_ENDING.test(name) &&
    (name.includes('@Syno') || name.includes(':Zone')) &&
    SYSTEM_ENDINGS.some((ending) => name.toLowerCase().endsWith(ending))
  )
}

/**
 * Folders inside a film's or a series' folder that never hold one: pictures and metadata that other media servers keep
 * there, and subtitles. As names of films and series themselves these words are fine, so only look below the top level.
 */
const MEDIA_SERVER_FOLDERS: ReadonlySet<string> = new Set(['extrafanart', 'extrathumbs', 'metadata', 'subs', 'subtitles', 'sub'])

export const isMediaServerFolder = (name: string): boolean => {
  const lower = name.toLowerCase()
  return MEDIA_SERVER_FOLDERS.has(lower) || lower.endsWith('.trickplay')
}
