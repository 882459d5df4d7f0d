/** What is no file after all, but an answer that says no, leaves the page as it is. Without a name it gets the server's. */
export const download = (href: string, name = ''): void =>
  Object.assign(document.createElement('a'), { href, download: name, rel: 'external' }).click()
