// Blocking and outside the bundle: the first paint has the right colours, and the content security policy allows no inline script.
;(() => {
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
