/** What the server says of a problem: it says it in English. */

import { aiFailure } from './ai-failures.ts'

/** By their code, where the server says no more than that. */
const PROBLEMS: Record<string, string> = {
  unreachable: 'Der Server ist nicht erreichbar.',
  invalid_request: 'Die Anfrage ist nicht gültig.',
  path_not_found: 'Diesen Ordner gibt es nicht, oder der Server darf ihn nicht lesen.',
  path_not_a_directory: 'Dieser Pfad ist kein Ordner.',
  path_not_allowed: 'Dieser Ordner liegt außerhalb der freigegebenen Medienordner.',
  path_overlaps_library: 'Dieser Ordner überschneidet sich mit dem Ordner einer anderen Bibliothek.',
  not_a_file: 'Das ist ein Ordner, keine Datei.',
  delete_not_supported: 'Einträge dieser Art lassen sich nicht löschen.',
  nfo_not_supported: 'Einträge dieser Art haben keine NFO-Metadaten.',
  not_signed_in: 'Bitte zuerst anmelden.',
  invalid_credentials: 'Name oder Passwort ist falsch.',
  forbidden: 'Dazu fehlt die Berechtigung.',
  foreign_origin: 'Die Anfrage kam von einer anderen Website.',
  setup_not_local: 'Das erste Administratorkonto kann nur aus dem lokalen Netz angelegt werden.',
  not_found: 'Das gibt es nicht mehr, oder es ist nicht freigegeben.',
  no_thumbnail: 'Zu diesem Eintrag gibt es kein Vorschaubild.',
  nfo_not_found: 'Es gibt keine NFO-Datei.',
  conflict: 'Das widerspricht dem gegenwärtigen Stand.',
  already_set_up: 'Ein Administratorkonto gibt es schon.',
  duplicate_name: 'Dieser Name ist vergeben.',
  last_admin: 'Das letzte Administratorkonto lässt sich nicht entfernen.',
  unsafe_delete: 'Diesen Ordner zu löschen wäre nicht sicher.',
  ai_disabled: 'Die KI-Anreicherung ist ausgeschaltet.',
  precondition_failed: 'Das ist nicht mehr die verlangte Fassung.',
  too_large: 'Das ist zu groß.',
  unsupported_media_type: 'Dieses Dateiformat wird nicht unterstützt.',
  range_not_satisfiable: 'Der Bereich liegt außerhalb der Datei.',
  library_type_fixed: 'Die Art einer Bibliothek lässt sich nicht ändern.',
  username_fixed: 'Der Name eines Kontos lässt sich nicht ändern.',
  nfo_invalid: 'Die NFO-Datei ist nicht lesbar.',
  pages_unreadable: 'Die Seiten sind nicht lesbar.',
  nothing_to_translate: 'Es gibt keinen Text zum Übersetzen.',
  no_image: 'Zu diesem Eintrag gibt es kein Bild.',
  unknown_ocr_language: 'Diese OCR-Sprache ist nicht installiert.',
  too_many_tags: 'Das wären zu viele Tags.',
  rate_limited: 'Zu viele Versuche. Bitte einen Moment warten.',
  internal_error: 'Auf dem Server ist etwas schiefgegangen.',
  unavailable: 'Der Dienst kann das gerade nicht ausführen.',
  insufficient_storage: 'Der Datenträger ist voll.',
}

/** Why, in a sentence that is known. */
const REASONS: Record<string, string> = {
  'The data folder cannot be written to now.': 'In den Datenordner lässt sich gerade nicht schreiben.',
  'What this belongs to has just been removed.': 'Wozu das gehört, ist gerade entfernt worden.',
  'The database cannot be written to now.': 'In die Datenbank lässt sich gerade nicht schreiben.',
  'The database cannot be read.': 'Die Datenbank ist nicht lesbar.',
  'The database gives no answer: the change may have been kept, or not.':
    'Die Datenbank antwortet nicht: Die Änderung ist vielleicht gespeichert, vielleicht auch nicht.',
  'The database does not answer now.': 'Die Datenbank antwortet gerade nicht.',
  'The file has just changed.': 'Die Datei hat sich gerade geändert.',
  'The body of the request broke off.': 'Die Anfrage kam nicht vollständig an.',
  'The Origin of the request is not this host; a proxy in front must pass the Host header on':
    'Die Anfrage kam von einer anderen Adresse. Ein Proxy vor dem Server muss den Host-Header weitergeben.',
  'That is too large for the server, or for the proxy in front of it.': 'Das ist zu groß für den Server oder für den Proxy vor ihm.',
  'Send application/json or text/csv.': 'Die Datei muss JSON oder CSV sein.',
  'Too many uploads at once; try again soon.': 'Es wird gerade zu viel auf einmal hochgeladen. Bitte gleich noch einmal versuchen.',
  'The request took longer to arrive than the server waits for it.': 'Die Anfrage kam langsamer an, als der Server auf sie wartet.',
  'Too many people are signing in right now': 'Gerade melden sich zu viele auf einmal an. Bitte einen Moment warten.',
  'The access token is not valid': 'Der Zugangsschlüssel ist nicht gültig.',
  'The present password is wrong': 'Das bisherige Passwort ist falsch.',
  'A token cannot make tokens: sign in': 'Mit einem Schlüssel lassen sich keine Schlüssel anlegen. Bitte anmelden.',
  'The file has nothing at this place.': 'Die Datei hat an dieser Stelle nichts.',
  'Making this piece of the video took too long.': 'Dieses Stück des Videos umzuwandeln dauerte zu lange.',
  'Nobody waits for this piece of the video any more.': 'Auf dieses Stück des Videos wartet niemand mehr.',
  'Nobody waits for this any more.': 'Darauf wartet niemand mehr.',
  'The stream was stopped.': 'Die Wiedergabe wurde beendet.',
  'The server is stopping.': 'Der Server wird gerade beendet.',
  'The server converts as many videos as it can already; try again in a moment.':
    'Der Server wandelt schon so viele Videos um, wie er kann. Bitte gleich noch einmal versuchen.',
  'The file cannot be converted here; it may be damaged.': 'Die Datei lässt sich hier nicht umwandeln. Vielleicht ist sie beschädigt.',
  'The file has changed; ask again how to play it.': 'Die Datei hat sich geändert. Bitte noch einmal abspielen.',
  'ffmpeg is not installed on the server, so videos can only be played as they are.':
    'Auf dem Server fehlt ffmpeg. Videos lassen sich nur so abspielen, wie sie sind.',
  'This item is nothing to play.': 'Hier gibt es nichts abzuspielen.',
  'The video has no such sound track.': 'Diese Tonspur hat das Video nicht.',
  'The subtitles cannot be converted.': 'Die Untertitel lassen sich nicht umwandeln.',
  'The subtitles cannot be read out of the video.': 'Die Untertitel lassen sich nicht aus dem Video lesen.',
  'The subtitle file is too large.': 'Die Untertiteldatei ist zu groß.',
  'The volume cannot be read now.': 'Der Band lässt sich gerade nicht lesen.',
  'Another volume has just taken the place of this one.': 'Gerade ist ein anderer Band an die Stelle dieses Bandes getreten.',
  'You have asked for too much at once.': 'Es wurde zu viel auf einmal verlangt.',
  'You have asked for too many lists of pages at once.': 'Es wurden zu viele Seitenlisten auf einmal verlangt.',
  'The volume could not be read in time.': 'Den Band zu lesen dauerte zu lange.',
  'The queue is full. Wait until some of its jobs are done.':
    'Die Warteschlange ist voll. Bitte warten, bis einige Aufträge erledigt sind.',
  'Somebody has edited this text.': 'Diesen Text hat jemand bearbeitet.',
  'The text is too long.': 'Der Text ist zu lang.',
  'The same work is queued for this item already.': 'Dasselbe steht für diesen Eintrag schon in der Warteschlange.',
  'There is no endpoint or no model for this yet.': 'Dafür ist noch kein Endpunkt oder kein Modell eingetragen.',
  'Its file is missing from the disk.': 'Die Datei fehlt auf dem Datenträger.',
  'No job suggests that name.': 'Diesen Namen schlägt kein Auftrag vor.',
  'A remote database is backed up by its own server.': 'Eine entfernte Datenbank sichert deren eigener Server.',
  'Another server uses this database too: stop it first.': 'Ein weiterer Server benutzt diese Datenbank. Er muss zuerst beendet werden.',
  'This backup is damaged.': 'Diese Sicherung ist beschädigt.',
  'A newer version of Vitrine made this backup.': 'Diese Sicherung stammt von einer neueren Version von Vitrine.',
  'The server ends already.': 'Der Server wird schon beendet.',
  'The cursor is not valid.': 'Diese Stelle der Liste gibt es nicht mehr.',
  'The folder lies outside of the library.': 'Der Ordner liegt außerhalb der Bibliothek.',
  'The folder is a link, or is reached through one.': 'Der Ordner ist eine Verknüpfung, oder eine führt zu ihm.',
  'The folder lies on another disk than the library.': 'Der Ordner liegt auf einem anderen Datenträger als die Bibliothek.',
  'The folder is, or holds, the folder of a library.': 'Der Ordner ist der einer Bibliothek, oder er enthält einen solchen.',
  'The folder holds other items of the library as well.': 'Der Ordner enthält auch andere Einträge der Bibliothek.',
  'Something else is mounted in this folder.': 'In diesem Ordner ist etwas anderes eingehängt.',
  'Only whole films and whole series can be deleted.': 'Nur ganze Filme und ganze Serien lassen sich löschen.',
  'The folder is not in its place any more. A scan of the library tells whether it is gone or somewhere else.':
    'Der Ordner ist nicht mehr an seinem Platz. Ob er weg ist oder woanders liegt, zeigt das nächste Einlesen der Bibliothek.',
  'This folder is being deleted or restored right now.': 'Dieser Ordner wird gerade gelöscht oder wiederhergestellt.',
  'The deletion was given up meanwhile; nothing is deleted.': 'Das Löschen ist inzwischen abgebrochen worden; gelöscht ist nichts.',
  'The folder is in use: something is mounted there.': 'Der Ordner ist in Gebrauch: Dort ist etwas eingehängt.',
  'The folder was exchanged for another one meanwhile.': 'Der Ordner ist inzwischen gegen einen anderen ausgetauscht worden.',
  'The folder that it lay in is not there any more.': 'Den Ordner, in dem es lag, gibt es nicht mehr.',
  'Something else lies in its place now.': 'An seinem Platz liegt jetzt etwas anderes.',
  'This item has no files of its own.': 'Dieser Eintrag hat keine eigenen Dateien.',
  'This application cannot be read as a whole now.': 'Diese Anwendung lässt sich gerade nicht vollständig lesen.',
  'The disk that the library lies on is full.': 'Der Datenträger der Bibliothek ist voll.',
  'The library is read-only for this service.': 'Der Server darf in dieser Bibliothek nur lesen, nicht schreiben.',
  'The folder of this item is not there now.': 'Der Ordner dieses Eintrags ist gerade nicht da.',
  'The disk that the library lies on reports an error.': 'Der Datenträger der Bibliothek meldet einen Fehler.',
  'There is a folder where the file would go.': 'Wo die Datei hinkäme, liegt ein Ordner.',
  'The folder of the library is not there now.': 'Der Ordner der Bibliothek ist gerade nicht da.',
  'The schedule is not a cron expression of five fields, each within its range.':
    'Der Zeitplan ist kein Cron-Ausdruck mit fünf Feldern, deren Werte es gibt.',
  'The path must be absolute.': 'Der Pfad muss vollständig sein und mit / beginnen.',
  'The folder holds the data of this service.': 'Der Ordner enthält die Daten dieses Dienstes.',
  'This library is being scanned.': 'Diese Bibliothek wird gerade eingelesen.',
  'This scan holds nothing back.': 'Dieses Einlesen hält nichts zurück.',
  'A newer scan of this library has looked again.': 'Diese Bibliothek ist inzwischen noch einmal eingelesen worden.',
  'Only manga volumes have pages.': 'Seiten haben nur Manga-Bände.',
  'Only manga is read.': 'Gelesen wird nur Manga.',
  'Only mixed libraries have folders.': 'Ordner haben nur Bibliotheken mit Bildern und Videos.',
  'Only movies and tv libraries have NFO metadata.': 'NFO-Metadaten haben nur Bibliotheken mit Filmen oder Serien.',
  'Only TV libraries have episodes.': 'Folgen haben nur Bibliotheken mit Serien.',
  'The NFO file, or its folder, cannot be read.': 'Die NFO-Datei oder ihr Ordner ist nicht lesbar.',
  'The NFO file is larger than 1 MiB.': 'Die NFO-Datei ist größer als 1 MiB.',
  'The NFO file has more elements than metadata could have.': 'Die NFO-Datei hat mehr Elemente, als Metadaten haben könnten.',
  'The NFO file has a document type declaration, which could lead out of it.':
    'Die NFO-Datei hat eine Dokumenttyp-Deklaration, die aus ihr hinausführen könnte.',
  'The NFO file is not sound XML, or ends too early.': 'Die NFO-Datei ist kein gültiges XML oder endet zu früh.',
  'The NFO file describes something of another kind.': 'Die NFO-Datei beschreibt etwas anderer Art.',
  'The NFO file holds no metadata.': 'Die NFO-Datei enthält keine Metadaten.',
  'The NFO file describes several episodes, and none of them is this one.':
    'Die NFO-Datei beschreibt mehrere Folgen, und keine davon ist diese.',
  'Too many connections listen to events already.': 'Es hören schon zu viele Verbindungen auf Ereignisse.',
  'You send too much at once; try again soon.': 'Von diesem Konto kommt gerade zu viel auf einmal. Bitte gleich noch einmal versuchen.',
  'Too many files are sent to you already.': 'Es werden schon zu viele Dateien an dieses Konto gesendet.',
  'Progress is kept for single items.': 'Einen Stand gibt es nur für einzelne Einträge.',
  'There is no such tag.': 'Dieses Tag gibt es nicht.',
  'There may be 200,000 tags and other names of tags.': 'Es kann höchstens 200.000 Tags und andere Namen von Tags geben.',
  'The tags are being changed meanwhile; try again.': 'Die Tags werden währenddessen geändert. Bitte noch einmal versuchen.',
  'A category of that name exists already.': 'Eine Kategorie dieses Namens gibt es schon.',
  'There is no such category.': 'Diese Kategorie gibt es nicht.',
  'The file is not JSON.': 'Die Datei ist kein JSON.',
  'The file holds neither categories nor assignments.': 'In der Datei sind weder Kategorien noch Zuordnungen.',
  'The file does not have the shape of a file of tags.': 'Die Datei ist nicht wie eine Datei von Tags aufgebaut.',
  'The file is not UTF-8 text.': 'Die Datei ist kein Text in UTF-8.',
  'That name stands for a tag already.': 'Dieser Name steht schon für ein Tag.',
  'This category has a tag of that name already.': 'In dieser Kategorie gibt es schon ein Tag dieses Namens.',
  'The password has been changed meanwhile.': 'Das Passwort ist inzwischen geändert worden.',
  'The item was moved meanwhile.': 'Der Eintrag liegt inzwischen an einem anderen Ort.',
  'One of them is not there any more, or you may not see it.': 'Einen Eintrag davon gibt es nicht mehr, oder er ist nicht freigegeben.',
}

/** What is wrong with a line of a table of tags. */
const LINES: Record<string, string> = {
  'is not a line of a table of comma-separated values': 'gehört zu keiner Tabelle, deren Werte durch Kommas getrennt sind.',
  'needs the columns category and tag': 'braucht die Spalten category und tag.',
  'needs a category and a tag': 'braucht eine Kategorie und ein Tag.',
  'has too many cells': 'hat zu viele Zellen.',
}

/** What holds a number or a name. */
const PATTERNS: readonly [pattern: RegExp, german: (...parts: string[]) => string][] = [
  [/^This job is .+\.$/, () => 'Dieser Auftrag ist weder gescheitert noch abgebrochen.'],
  [/^That name stands for the tag "(.+)" already\.$/, (tag) => `Dieser Name steht schon für das Tag „${tag}“.`],
  [/^The folder holds another film: "(.+)"\.$/, (name) => `Der Ordner enthält noch einen Film: „${name}“.`],
  [/^The folder holds another series: "(.+)"\.$/, (name) => `Der Ordner enthält noch eine Serie: „${name}“.`],
  [/^(.+) is a folder; it can be downloaded as an archive\.$/, (name) => `${name} ist ein Ordner. Er lässt sich als Archiv herunterladen.`],
  [
    /^The path of this volume is too long for a list of (.+) pages\.$/,
    (pages) => `Der Pfad dieses Bandes ist zu lang für eine Liste von ${pages} Seiten.`,
  ],
  [/^Only .+ have this\.$/, () => 'Das haben nur Spiele.'],
  [
    /^"(.+)" in the folder of this game is a link or a file; screenshots are only written into a folder\.$/,
    (name) => `„${name}“ im Ordner dieses Spiels ist eine Verknüpfung oder eine Datei. Bildschirmfotos kommen nur in einen Ordner.`,
  ],
  [/^(.+) cannot be opened \((.+)\)\.$/, (path, code) => `${path} lässt sich nicht öffnen (${code}).`],
  [/^There is no folder (.+)\.$/, (path) => `Den Ordner ${path} gibt es nicht.`],
  [/^(.+) may not be read by the server\.$/, (path) => `Der Server darf ${path} nicht lesen.`],
  [
    /^(.+) and (.+) overlap: they cannot be two libraries\.$/,
    (one, other) => `${one} und ${other} überschneiden sich. Daraus werden keine zwei Bibliotheken.`,
  ],
  [/^(.+) cannot be read by the server\.$/, (path) => `Der Server darf ${path} nicht lesen.`],
  [/^(.+) cannot be read\.$/, (path) => `${path} ist nicht lesbar.`],
  [/^(.+) does not answer\.$/, (path) => `Der Datenträger von ${path} antwortet nicht.`],
  [/^(.+) is not a folder\.$/, (path) => `${path} ist kein Ordner.`],
  [/^(.+) belongs to the system\.$/, (path) => `${path} gehört zum System.`],
  [/^(.+) belongs to the data of this service\.$/, (path) => `${path} gehört zu den Daten dieses Dienstes.`],
  [/^(.+) lies outside the allowed media roots\.$/, (path) => `${path} liegt außerhalb der freigegebenen Medienordner.`],
  [/^The folder overlaps that of the library "(.+)"\.$/, (name) => `Dieser Ordner überschneidet sich mit dem der Bibliothek „${name}“.`],
  [
    /^There is no data for (.+)\. Installed: (.+)\.$/,
    (language, installed) => `Für ${language} gibt es keine Erkennungsdaten. Installiert sind: ${installed}.`,
  ],
  [
    /^No more than (.+) applications are zipped for one person at once\.$/,
    (count) => `Für eine Person werden höchstens ${count} Anwendungen zugleich gepackt.`,
  ],
  [/^They have more than (.+) parts together\.$/, (count) => `Zusammen haben sie mehr als ${count} Teile.`],
  [/^You have (.+) tokens already: delete one first\.$/, (count) => `Es gibt schon ${count} Schlüssel. Einer muss zuerst gelöscht werden.`],
  [/^Line (\w+): (.+)$/, (line, reason = '') => `Zeile ${line} der Datei ${LINES[reason] ?? `ist nicht brauchbar. (${reason})`}`],
]

const reasonOf = (detail: string): string | undefined => {
  const whole = REASONS[detail]
  if (whole !== undefined) return whole
  // Of a volume or its archive the AI says the same. It comes first: what some file is, is a name to the patterns.
  const failure = aiFailure(detail)
  if (failure !== detail) return failure
  for (const [pattern, german] of PATTERNS) {
    const parts = pattern.exec(detail)
    if (parts) return german(...parts.slice(1))
  }
  return undefined
}

/** A reason that is not known is still one, also in English. What has no full stop is no reason but the name of the problem. */
export const problemTold = (code: string, detail: string): string => {
  const general = PROBLEMS[code]
  if (code === 'unreachable' || general === undefined) return general ?? detail
  return reasonOf(detail) ?? (detail.endsWith('.') ? `${general} (${detail})` : general)
}
