/** What keeps a picture from being shown: the way to the server, which is waited for, or the file itself. */

import { createSignal } from 'solid-js'
import { isServerThere } from '../api/health.ts'
import { createReturnWatch } from './return-watch.ts'

/** To a browser either is the same. */
type PictureFailure = 'lost' | 'damaged'

export const createPictureFailure = () => {
  const [failure, setFailure] = createSignal<PictureFailure>()
  let image: HTMLImageElement | undefined
  createReturnWatch(
    () => failure() === 'lost',
    async () => {
      // It failed, so the same address is another attempt.
      image?.setAttribute('src', image.src)
    },
  )
  return {
    failure,
    onError: async (event: { currentTarget: HTMLImageElement }) => {
      image = event.currentTarget
      setFailure((await isServerThere()) ? 'damaged' : 'lost')
    },
    onLoad: () => setFailure(undefined),
  }
}
