/** Of the help on keys. */

export const helpTexts = {
  spokenKeys: { space: 'Space', left: 'Left arrow', right: 'Right arrow', up: 'Up arrow', down: 'Down arrow' },
  printedKeys: { Home: 'Home', End: 'End', PageUp: 'Page Up', PageDown: 'Page Down', Ctrl: 'Ctrl', Shift: 'Shift' },
  shortcuts: {
    title: 'Keys',
    search: 'Search',
    select: 'Select several',
    filters: 'Open or close the filters',
    larger: 'Larger cards',
    smaller: 'Smaller cards',
    goHome: 'Go to the start page',
    goLibrary: 'Go to the library',
    goManage: 'Go to Manage',
    help: 'Show these keys',
    move: 'Move',
    page: 'A page up or down',
    ends: 'First or last item',
    open: 'Open',
    tick: 'Select, or take out again',
    tickOn: 'Select what lies on the way',
    tickAll: 'Select all',
    tags: 'Tags of what is selected',
    tickNone: 'End the selection',
  },
}
