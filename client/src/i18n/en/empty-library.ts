/** Of a library that has nothing to show, or is none. */

export const emptyLibraryTexts = {
  emptyLibrary: {
    unknownHeading: 'There is no such library',
    unknown: 'It does not exist, or it has not been shared with you.',
    scanNow: 'Scan now',
    scanning: (name: string) => `Scanning ${name}`,
    neverScanned: 'Not scanned yet',
    heading: 'Nothing found in this library',
    foundNothing: (path: string) => `The last scan found nothing in ${path}.`,
    expected: {
      games: 'Expected: one folder per game holding a .zip, .tar.gz, .dmg or .app.',
      movies: 'Expected: one folder per film holding its video files.',
      tv: 'Expected: one folder per series holding seasons or episodes.',
      manga: 'Expected: one folder per series holding archives or folders of pages.',
      mixed: 'Expected: any files, in any folders.',
    },
    noMatchHeading: 'Nothing matches',
    noTitle: (query: string) => `No title here contains “${query}”.`,
    noMatch: 'Nothing here fits all of these filters.',
    searchAll: (query: string) => `Search all libraries for “${query}”`,
    unavailable: 'The folder of this library cannot be read right now. Its index is kept.',
  },
}
