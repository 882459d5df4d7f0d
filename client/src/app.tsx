import { Route, Router, type RouteSectionProps } from '@solidjs/router'
import { QueryClientProvider } from '@tanstack/solid-query'
import { Show, Suspense } from 'solid-js'
import { listenForRefusals } from './api/http.ts'
import { createQueryClient } from './api/query-client.ts'
import { queryKeys } from './api/query-keys.ts'
import { screen } from './components/screen.tsx'
import { basePath } from './primitives/base-path.ts'
import { createEarlyAnswers } from './primitives/early-answers.ts'
import { hasNotified } from './primitives/notify.ts'
import { createRouteFocus } from './primitives/route-focus.ts'
import { Shell } from './views/shell/shell.tsx'

const Login = screen(() => import('./views/sign-in/login.tsx'), 'Login')
const Setup = screen(() => import('./views/sign-in/setup.tsx'), 'Setup')
const Home = screen(() => import('./views/home/home.tsx'), 'Home')
const Library = screen(() => import('./views/library/library.tsx'), 'Library')
const Feed = screen(() => import('./views/feed/feed.tsx'), 'Feed')
const Game = screen(() => import('./views/games/game.tsx'), 'Game')
const GameSeries = screen(() => import('./views/games/game-series.tsx'), 'GameSeries')
const Movie = screen(() => import('./views/movies/movie.tsx'), 'Movie')
const Series = screen(() => import('./views/tv/series.tsx'), 'Series')
const Season = screen(() => import('./views/tv/season.tsx'), 'Season')
const MangaSeries = screen(() => import('./views/manga/manga-series.tsx'), 'MangaSeries')
const Watch = screen(() => import('./views/player/watch.tsx'), 'Watch')
const Reader = screen(() => import('./views/reader/reader.tsx'), 'Reader')
const Search = screen(() => import('./views/search/search.tsx'), 'Search')
const Trash = screen(() => import('./views/trash/trash.tsx'), 'Trash')
const Manage = screen(() => import('./views/manage/manage.tsx'), 'Manage')
const Settings = screen(() => import('./views/settings/settings.tsx'), 'Settings')
const NotFound = screen(() => import('./views/not-found.tsx'), 'NotFound')
const ToastRegion = screen(() => import('./components/toast-region.tsx'), 'ToastRegion')

const queryClient = createQueryClient()
const early = createEarlyAnswers(queryClient)
listenForRefusals((isSignedOut) => {
  if (isSignedOut) queryClient.setQueryData(queryKeys.authStatus, { setupRequired: false, user: null })
  // Somebody else may be signed in by now.
  void queryClient.invalidateQueries({ queryKey: queryKeys.authStatus })
})

const Root = (props: RouteSectionProps) => {
  createRouteFocus()
  return (
    <>
      <Suspense>{props.children}</Suspense>
      <Show when={hasNotified()}>
        <Suspense>
          <ToastRegion />
        </Suspense>
      </Show>
    </>
  )
}

export const App = () => (
  <QueryClientProvider client={queryClient}>
    <Router base={basePath} root={Root} scrollRestoration>
      <Route path="/login" component={Login} />
      <Route path="/setup" component={Setup} />
      <Route component={Shell} preload={early.frame}>
        <Route path="/" component={Home} preload={early.home} />
        <Route path="/l/:lib" component={Library} preload={early.library} />
        <Route path="/l/:lib/feed" component={Feed} />
        <Route path="/l/:lib/g/:id" component={Game} />
        <Route path="/l/:lib/gs/:id" component={GameSeries} />
        <Route path="/l/:lib/m/:id" component={Movie} />
        <Route path="/l/:lib/s/:id" component={Series} />
        <Route path="/l/:lib/s/:id/season/:n" component={Season} />
        <Route path="/l/:lib/b/:id" component={MangaSeries} />
        <Route path="/watch/:id" component={Watch} />
        <Route path="/read/:id" component={Reader} />
        <Route path="/search" component={Search} />
        <Route path="/trash" component={Trash} />
        <Route path="/manage/:section?/:id?" component={Manage} />
        <Route path="/settings/:section?" component={Settings} />
        <Route path="*" component={NotFound} />
      </Route>
    </Router>
  </QueryClientProvider>
)
