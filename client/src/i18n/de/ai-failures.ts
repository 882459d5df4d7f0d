/** Why a job of the AI queue waits or has failed: the server says it in English. */

const TOLD: Record<string, string> = {
  'AI enrichment is switched off.': 'Die KI-Anreicherung ist ausgeschaltet.',
  'AI is switched off for this library.': 'Die KI ist für diese Bibliothek ausgeschaltet.',
  'The disk of the data folder is nearly full.': 'Der Datenträger des Datenordners ist fast voll.',
  'There is no endpoint yet.': 'Es ist noch kein Endpunkt eingetragen.',
  'There is no model for this yet.': 'Dafür ist noch kein Modell eingetragen.',
  'Reading by a model alone needs a model.': 'Um nur mit dem Modell zu lesen, braucht es ein Modell.',
  'The server ended three times while it worked on this.': 'Der Server ist dreimal beendet worden, während er daran arbeitete.',
  'The text was edited meanwhile, and was kept as it is.': 'Der Text wurde inzwischen bearbeitet und blieb, wie er ist.',
  'The thread that worked on it ended.': 'Die Verarbeitung ist abgebrochen.',
  'The work on it failed.': 'Die Verarbeitung ist gescheitert.',
  'The folder of the library is not there now.': 'Der Ordner der Bibliothek ist gerade nicht da.',
  'What came of it could not be kept.': 'Das Ergebnis konnte nicht gespeichert werden.',
  'The endpoint asks to wait (429).': 'Der Endpunkt bittet zu warten (429).',
  'The endpoint packs its answers although it was asked not to.': 'Der Endpunkt komprimiert seine Antworten, obwohl er das nicht soll.',
  'The endpoint has an address that requests never go to.': 'Die Adresse des Endpunkts ist eine, an die nie Anfragen gehen.',
  'The answer of the endpoint is too large.': 'Die Antwort des Endpunkts ist zu groß.',
  'The endpoint answered with something that is not whole JSON.': 'Die Antwort des Endpunkts ist kein vollständiges JSON.',
  'The answer of the endpoint is not a chat completion.': 'Die Antwort des Endpunkts hat nicht die erwartete Form.',
  'The endpoint does not list its models in the OpenAI form.': 'Der Endpunkt nennt seine Modelle nicht in der Form von OpenAI.',
  'The model used up its tokens before it came to an answer. Allow it more.':
    'Dem Modell gingen vor der Antwort die Tokens aus. Es braucht mehr davon.',
  'The model declined to answer.': 'Das Modell lehnte eine Antwort ab.',
  'The model answered nothing.': 'Das Modell antwortete nichts.',
  'The model declined to read the picture.': 'Das Modell lehnte es ab, das Bild zu lesen.',
  'The model described the picture instead of reading it.': 'Das Modell beschrieb das Bild, statt es zu lesen.',
  'The model repeated itself without end.': 'Das Modell wiederholte sich ohne Ende.',
  'The transcription was cut off. Allow more tokens.': 'Die Abschrift brach ab. Es braucht mehr Tokens.',
  'The transcription is far longer than what can be read in the picture.':
    'Die Abschrift ist viel länger als das, was im Bild zu lesen ist.',
  'The model declined to translate the text.': 'Das Modell lehnte es ab, den Text zu übersetzen.',
  'The model repeated the question instead of translating.': 'Das Modell wiederholte die Frage, statt zu übersetzen.',
  'The translation runs on far beyond its text.': 'Die Übersetzung ist viel länger als ihr Text.',
  'The translation was cut off. Allow more tokens.': 'Die Übersetzung brach ab. Es braucht mehr Tokens.',
  'The description was cut off. Allow more tokens.': 'Die Beschreibung brach ab. Es braucht mehr Tokens.',
  'The model declined to describe the item.': 'Das Modell lehnte es ab, den Eintrag zu beschreiben.',
  'The model repeated the question instead of answering it.': 'Das Modell wiederholte die Frage, statt zu antworten.',
  'The description is too long to be one.': 'Die Beschreibung ist zu lang, um eine zu sein.',
  'There is no text to translate any more.': 'Es gibt keinen Text mehr zum Übersetzen.',
  'There is no picture to read.': 'Es gibt kein Bild zu lesen.',
  'This item has no picture.': 'Zu diesem Eintrag gibt es kein Bild.',
  'This thread opens no pictures.': 'Die Verarbeitung ist gescheitert.',
  'Recognising the page took too long.': 'Die Seite zu erkennen dauerte zu lange.',
  'The page could not be recognised.': 'Die Seite ließ sich nicht erkennen.',
  'Nobody waits for the page any more.': 'Auf die Seite wartet niemand mehr.',
  'The file is not there now.': 'Die Datei ist gerade nicht da.',
  'The file lies outside its library.': 'Die Datei liegt außerhalb ihrer Bibliothek.',
  'That is no file.': 'Das ist keine Datei.',
  'The file cannot be read now.': 'Die Datei lässt sich gerade nicht lesen.',
  'The file is empty.': 'Die Datei ist leer.',
  'Frames of videos need ffmpeg.': 'Für Bilder aus Videos braucht es ffmpeg.',
  'There are no pages.': 'Es gibt keine Seiten.',
  'The archive is damaged.': 'Das Archiv ist beschädigt.',
  'The directory of the archive is too large.': 'Das Verzeichnis des Archivs ist zu groß.',
  'The archive is empty.': 'Das Archiv ist leer.',
  'The archive holds nothing.': 'Das Archiv enthält nichts.',
  'The archive is encrypted.': 'Das Archiv ist verschlüsselt.',
  'The archive is one of several volumes.': 'Das Archiv ist nur eines von mehreren, die zusammengehören.',
  'The archive is solid, and too large.': 'Das Archiv ist am Stück gepackt und dafür zu groß.',
  'The archive takes too much memory to unpack.': 'Das Archiv zu entpacken braucht zu viel Arbeitsspeicher.',
  'The archive unpacks to more than it may.': 'Das Archiv ist entpackt zu groß.',
  'This is no ZIP or RAR archive, or it is damaged.': 'Das ist kein ZIP- oder RAR-Archiv, oder es ist beschädigt.',
  'The page is encrypted.': 'Die Seite ist verschlüsselt.',
  'The HEIC file cannot be read.': 'Die HEIC-Datei lässt sich nicht lesen.',
  'The HEIC file holds no picture.': 'Die HEIC-Datei enthält kein Bild.',
  'The HEIC picture cannot be decoded.': 'Das HEIC-Bild lässt sich nicht dekodieren.',
  'The picture cannot be decoded.': 'Das Bild lässt sich nicht dekodieren.',
  'The picture is damaged or incomplete.': 'Das Bild ist beschädigt oder unvollständig.',
  'The picture is too large.': 'Das Bild ist zu groß.',
  'The picture has too many pixels.': 'Das Bild hat zu viele Pixel.',
  'The picture took too long to decode.': 'Das Bild zu dekodieren dauerte zu lange.',
  'The file is no picture that can be decoded.': 'Die Datei ist kein Bild, das sich dekodieren lässt.',
  'The raw photograph holds no picture that is ready to be shown.': 'Die Rohdatei enthält kein Bild, das sich zeigen lässt.',
  'Bitmaps and JPEG XL need ffmpeg.': 'Für BMP und JPEG XL braucht es ffmpeg.',
  'This ffmpeg cannot read the format.': 'Dieses ffmpeg kann das Format nicht lesen.',
}

const REFUSALS: Record<string, string> = {
  ': it wants a valid key': ': Er verlangt einen gültigen Schlüssel',
  ': it does not know the address or the model': ': Er kennt die Adresse oder das Modell nicht',
}

/** What holds a number or a name. */
const PATTERNS: readonly [pattern: RegExp, german: (...parts: string[]) => string][] = [
  [/^The endpoint has an error of its own \((.+)\)\.$/, (status) => `Beim Endpunkt ist ein Fehler aufgetreten (${status}).`],
  [/^The endpoint is not ready \((.+)\)\.$/, (status) => `Der Endpunkt ist noch nicht bereit (${status}).`],
  [
    /^The endpoint points elsewhere \((.+)\); redirects are not followed\.$/,
    (status) => `Der Endpunkt verweist woandershin (${status}). Umleitungen wird nicht gefolgt.`,
  ],
  [
    /^The endpoint has no certificate that this server trusts \((.+)\)\.$/,
    (code) => `Der Endpunkt hat kein Zertifikat, dem dieser Server vertraut (${code}).`,
  ],
  [/^The endpoint cannot be reached \(no answer\)\.$/, () => 'Der Endpunkt ist nicht erreichbar (keine Antwort).'],
  [/^The endpoint cannot be reached \((.+)\)\.$/, (code) => `Der Endpunkt ist nicht erreichbar (${code}).`],
  [/^The endpoint did not finish within (.+) seconds\.$/, (seconds) => `Der Endpunkt wurde in ${seconds} Sekunden nicht fertig.`],
  [/^The connection to the endpoint broke \(unknown\)\.$/, () => 'Die Verbindung zum Endpunkt brach ab.'],
  [/^The connection to the endpoint broke \((.+)\)\.$/, (code) => `Die Verbindung zum Endpunkt brach ab (${code}).`],
  [
    /^The endpoint refused the request \((.+?)\)(.*)\.$/,
    (status, hint) => `Der Endpunkt lehnte die Anfrage ab (${status})${REFUSALS[hint ?? ''] ?? ''}.`,
  ],
  [/^The recognition data for (.+) cannot be used\.$/, (languages) => `Die Erkennungsdaten für ${languages} sind unbrauchbar.`],
  [/^There is no recognition data for (.+)\.$/, (language) => `Für ${language} gibt es keine Erkennungsdaten.`],
  [/^The picture has more than (.+) megapixels\.$/, (limit) => `Das Bild hat mehr als ${limit} Megapixel.`],
  [/^The drawing takes too much time or memory \((.+)\)\.$/, (signal) => `Die Zeichnung braucht zu viel Zeit oder Speicher (${signal}).`],
  [/^The (.+) file is too large\.$/, (format) => `Die ${format}-Datei ist zu groß.`],
  [/^(.+) bytes are too many for this format\.$/, (bytes) => `${bytes} Bytes sind für dieses Format zu viele.`],
  [/^(.+) pixels are too many\.$/, (size) => `${size} Pixel sind zu viele.`],
  [/^More than (.+) entries are too many\.$/, (count) => `Mehr als ${count} Einträge sind zu viele.`],
  [/^(.+) entries are too many\.$/, (count) => `${count} Einträge sind zu viele.`],
  [/^A page of (.+) bytes is too large\.$/, (bytes) => `Eine Seite von ${bytes} Bytes ist zu groß.`],
]

/** What is said nowhere else stays as the server says it. */
export const aiFailure = (message: string): string => {
  const whole = TOLD[message]
  if (whole !== undefined) return whole
  for (const [pattern, german] of PATTERNS) {
    const parts = pattern.exec(message)
    if (parts) return german(...parts.slice(1))
  }
  return message
}
