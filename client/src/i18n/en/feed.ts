/** Scroll-through. */

export const feedTexts = {
  feed: {
    title: (library: string) => `${library}, one by one`,
    close: 'Back to the library',
    soundOn: 'Sound on',
    soundOff: 'Sound off',
    shuffle: 'Shuffle',
    inOrder: 'In order',
    info: 'Details',
    openInLibrary: 'Open in the library',
    seek: 'Position',
    positionOf: (position: string, duration: string) => `${position} of ${duration}`,
    empty: 'There are no pictures or videos here.',
    moreTags: (count: number) => `+${count}`,
    autoAdvance: 'Go on by itself',
    keys: 'Keys',
    help: {
      turn: 'Next or previous',
      ends: 'First or last',
      leave: 'Out of the list',
      play: 'Play or pause',
      mute: 'Sound off or on',
      close: 'Back to the library',
      help: 'These keys',
    },
  },
}
