/** A base path as it stands in addresses: empty, or `/x/y` without a slash at its end. */
export const cleanBasePath = (text: string): string =>
  text
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => `/${segment}`)
    .join('')
