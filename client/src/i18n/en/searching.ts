/** Of the search in all libraries. */

export const searchingTexts = {
  search: {
    title: 'Search',
    titleOf: (text: string) => `Search for “${text}”`,
    start: 'Titles, descriptions, texts in pictures, translations and tags.',
    noMatchHeading: 'Nothing found',
    noMatch: (text: string) => `No library has anything about “${text}”.`,
    results: (library: string) => `Results in ${library}`,
    all: 'All libraries',
    scope: 'Where to search',
    seeAll: (library: string) => `All results in ${library}`,
    matchedIn: {
      title: 'Title',
      description: 'Description',
      extractedText: 'Text in the picture',
      translation: 'Translation',
      tags: 'Tags',
    },
  },
}
