/**
 * Makes Solid's browser build the one that tests load: under Bun the bare names lead to the server build, whose effects
 * never run. Import this first, and the modules under test with `await import(...)`: static imports are resolved earlier.
 */

import { plugin } from 'bun'

const BROWSER_BUILDS = {
  'solid-js': 'dist/solid.js',
  'solid-js/store': 'store/dist/store.js',
  'solid-js/web': 'web/dist/web.js',
}

const packageFolder = new URL('../../node_modules/solid-js/', import.meta.url).pathname

plugin({
  name: 'solid-browser-build',
  setup: (build) => {
    for (const [name, file] of Object.entries(BROWSER_BUILDS)) {
      build.module(name, async () => ({ exports: await import(packageFolder + file), loader: 'object' }))
    }
  },
})
