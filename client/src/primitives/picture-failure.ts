import { createFileFailure } from './file-failure.ts'

/** Of whatever lies behind an address of ours. */
export const itemKeyIn = (url: string): string => new URL(url, location.href).searchParams.get('itemKey') ?? ''

/** What keeps a picture from being shown. */
export const createPictureFailure = () => {
  let image: HTMLImageElement | undefined
  const { failure, setFailure, judge } = createFileFailure(
    () => itemKeyIn(image?.src ?? ''),
    // It failed, so the same address is another attempt.
    () => image?.setAttribute('src', image.src),
  )
  return {
    failure,
    onError: async (event: { currentTarget: HTMLImageElement }) => {
      image = event.currentTarget
      setFailure(await judge())
    },
    onLoad: () => setFailure(undefined),
  }
}
