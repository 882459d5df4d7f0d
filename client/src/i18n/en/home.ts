/** Texts of the start page, and of the page that there is not. */

export const homeTexts = {
  home: {
    seeAll: 'See all',
    title: 'Home',
    continue: 'Continue',
    emptyHeading: 'No libraries yet',
    emptyAdmin: 'Add a folder with games, films, series, manga or pictures, and Vitrine turns it into a library.',
    emptyUser: 'No library has been shared with you yet. Ask an administrator of this server.',
    addLibrary: 'Add a library',
    neverScanned: 'This library fills up with its first scan.',
    foundNothing: 'The last scan found no items.',
    scrollBack: 'Scroll back',
    scrollOn: 'Scroll on',
  },
  notFound: {
    heading: 'There is no such page',
    text: 'The address may be mistyped, or the page has moved.',
  },
}
