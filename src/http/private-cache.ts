/** How long a browser keeps what is its user's alone: for ever where the URL carries the version of this very content, else it asks each time. */
export const privateCache = (isImmutable: boolean | undefined): string =>
  isImmutable ? 'private, max-age=31536000, immutable' : 'private, no-cache'
