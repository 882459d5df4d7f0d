/**
 * What the first screen will ask for, asked for while its chunk is on the way: for the page that was loaded, and for nobody
 * who is not signed in. Later screens find the frame's answers there, and ask for the rest at once.
 */

import type { RoutePreloadFunc, RoutePreloadFuncArgs } from '@solidjs/router'
import type { QueryClient } from '@tanstack/solid-query'
import { authStatusQuery } from '../api/auth.ts'
import { librariesQuery } from '../api/libraries.ts'
import { continueQuery } from '../api/progress.ts'
import { userSettingsQuery } from '../api/user-settings.ts'
import { entryPages } from './create-entry-pages.ts'
import { byCursor } from './create-query.ts'
import { single } from './create-url-state.ts'
import { createFolderView } from './folder-view.ts'
import { orderIn } from './library-sort.ts'
import { filterIn, isNarrow } from './tag-filter.ts'

export const createEarlyAnswers = (client: QueryClient) => {
  const isSignedIn = () =>
    client.fetchQuery(authStatusQuery).then(
      ({ user }) => user !== null,
      // The gate asks, too, and says so.
      () => false,
    )
  const early =
    (ask: (place: RoutePreloadFuncArgs) => void): RoutePreloadFunc<void> =>
    (place) => {
      if (place.intent === 'initial') void isSignedIn().then((isIn) => isIn && ask(place))
    }
  return {
    frame: early(() => {
      void client.prefetchQuery(librariesQuery)
      void client.prefetchQuery(userSettingsQuery)
    }),
    home: early(() => void client.prefetchQuery(continueQuery)),
    library: early(({ params, location }) => {
      const get = (name: string) => single(location.query[name])
      const filter = filterIn(get)
      const libraryId = Number(params.lib)
      const scope = createFolderView(libraryId, get).scope(isNarrow(filter))
      void client.prefetchInfiniteQuery({ ...entryPages({ libraryId, ...scope, ...filter, ...orderIn(get, undefined) }), ...byCursor })
    }),
  }
}
