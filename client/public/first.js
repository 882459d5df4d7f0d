// Blocking and outside the bundle: what must be right before the first paint and the router. The content security policy allows no inline script.
;(() => {
  // A `%` that somebody typed is meant as itself; the router would throw at it.
  const mend = (part) => {
    try {
      return decodeURIComponent(part) && part
    } catch {
      return part.replaceAll('%', '%25')
    }
  }
  const { pathname, search, hash } = location
  const address = pathname.split('/').map(mend).join('/') + search + mend(hash)
  if (address !== pathname + search + hash) history.replaceState(history.state, '', address)

  // Safari takes a hundred steps in ten seconds and throws at the next, after which the router leads nowhere: a key that is held
  // down, a slider that is pulled. The address follows as soon as it is taken again.
  const LATER_MS = 500
  let later
  const step = (write) => (state, unused, url) => {
    clearTimeout(later)
    try {
      write.call(history, state, unused, url)
    } catch (error) {
      if (error.name !== 'SecurityError') throw error
      later = setTimeout(() => history.replaceState({ _depth: history.state?._depth, ...state }, unused, url), LATER_MS)
    }
  }
  history.pushState = step(history.pushState)
  history.replaceState = step(history.replaceState)
  addEventListener('popstate', () => clearTimeout(later))

  let theme = 'dark'
  try {
    theme = localStorage.getItem('vitrine.theme') ?? 'dark'
  } catch {
    theme = 'dark'
  }
  try {
    if (localStorage.getItem('vitrine.motion') === 'reduce') document.documentElement.dataset.motion = 'reduce'
  } catch {
    // Without storage everything moves as the system says.
  }
  if (theme === 'system') theme = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
  document.documentElement.dataset.theme = theme === 'light' ? 'light' : 'dark'
  document.querySelector('meta[name=theme-color]').content = theme === 'light' ? '#f7f8fa' : '#0f1115'
})()
