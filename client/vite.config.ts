import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import solid from 'vite-plugin-solid'

const API_SERVER = process.env.VITRINE_API ?? 'http://localhost:3000'

/** In production the server writes `<base>` from its BASE_PATH; the development server stands at the root. */
const baseElement: Plugin = {
  name: 'vitrine-base-element',
  apply: 'serve',
  transformIndexHtml: () => [{ tag: 'base', attrs: { href: '/' }, injectTo: 'head-prepend' }],
}

/**
 * Every visit needs the answer who is asking, and nearly every one the frame: both are asked for together with the entry,
 * and not after it has run.
 */
const preloads: Plugin = {
  name: 'vitrine-preloads',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }) => {
      const frame = Object.values(bundle).find((output) => output.type === 'chunk' && output.name === 'frame')
      if (!frame) throw new Error('There is no chunk of the frame.')
      return [
        { tag: 'link', attrs: { rel: 'modulepreload', crossorigin: true, href: `./${frame.fileName}` }, injectTo: 'head' },
        { tag: 'link', attrs: { rel: 'preload', as: 'fetch', crossorigin: true, href: './api/auth/status' }, injectTo: 'head' },
      ]
    },
  },
}

/**
 * Each line of an icon has a key for frameworks that list by keys, which Solid writes into the page as an attribute that means
 * nothing: six letters by chance, which cannot be packed.
 */
const iconsWithoutKeys: Plugin = {
  name: 'vitrine-icons-without-keys',
  apply: 'build',
  transform: {
    filter: { id: /lucide-solid.+\/icons\// },
    handler: (code) => ({ code: code.replaceAll(/,\s*key: '[^']*'/g, '').replace('__iconData.node;', ''), map: null }),
  },
}

const COLOUR = '#0f1115'

/**
 * A page comes from the server, because whatever stands before it may want a sign-in of its own first, and be it by a redirect,
 * which the browser follows. The kept page is for where there is no server, or one that takes too long, or a name and a password
 * to be given: no browser asks for them at an answer of a worker's, and each does at what a page asks for.
 * Written into the service worker as it stands here: it knows nothing from outside of itself.
 */
const answerPage = async ({ request }: { request: Request }): Promise<Response> => {
  const answered = fetch(request)
  const inTime = await Promise.race([answered.catch(() => undefined), new Promise<undefined>((resolve) => setTimeout(resolve, 3000))])
  if (inTime && inTime.status < 500 && !inTime.headers.has('www-authenticate')) return inTime
  // Each version's has its own query; that of the version at work is the first.
  return (await caches.match('index.html', { ignoreSearch: true })) ?? answered
}

/** Keeps the client's own files and nothing of anybody's library: no answer of the API, no picture, no video. */
const serviceWorker = VitePWA({
  registerType: 'prompt',
  injectRegister: false,
  // The manifest lies behind whatever stands before the server, cookies and all.
  useCredentials: true,
  manifest: {
    id: './',
    name: 'Vitrine',
    short_name: 'Vitrine',
    description: 'A media library for a household',
    start_url: './',
    scope: './',
    display: 'standalone',
    background_color: COLOUR,
    theme_color: COLOUR,
    icons: [
      { src: 'icons/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: 'icons/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: 'icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml' },
    ],
  },
  workbox: {
    globPatterns: ['**/*.{html,js,css,svg,png}'],
    // Pages are the server's to answer: neither by a file of theirs that is kept nor by one that stands in for all.
    navigateFallback: null,
    directoryIndex: null,
    runtimeCaching: [
      {
        // Under any base path.
        urlPattern: ({ request, url }) => request.mode === 'navigate' && !/\/api\/|\/metrics$/.test(url.pathname),
        handler: answerPage,
      },
    ],
    cleanupOutdatedCaches: true,
    inlineWorkboxRuntime: true,
  },
})

/**
 * Left alone, the bundler makes a chunk of everything that two screens share, some of 200 bytes: a library came in 77 files,
 * which compress worse than one and are asked for one by one. What belongs to the first paint, to the frame with what most
 * screens show, and to a library's grid is a chunk each; all that comes later is still split by itself.
 */
const FRAME = [
  /client\/src\/views\/shell\/signed-in\./,
  /client\/src\/api\/browse\./,
  /client\/src\/components\/(empty-state|icon-button|media-card|progress-bar|query-view|search-field|select|skeleton|tag-chip)\./,
  /client\/src\/primitives\/(create-gradually|create-media-query|create-search-text|device-choice|folder-view|history-depth|page-title|scan-start|shortcuts|tag-filter)\./,
  /lucide-solid.+\/(chevron-left|layout-grid|x)\./,
]
/** What the start page shares with the screens that are lists: none of them brings its shelves along. */
const ROWS = [
  /@solid-primitives\/keyed\//,
  /client\/src\/components\/(scan-line|status-pill)\./,
  /client\/src\/i18n\/(en\/)?(home|marks|scans)\./,
  /client\/src\/primitives\/(create-row-focus|scan-facts|series-part)\./,
  /lucide-solid.+\/folder-plus\./,
]
/** What the player shares with other screens, each with other ones. */
const MEDIA = [
  /client\/src\/(api\/(files|items)|primitives\/subtitle-size)\./,
  /lucide-solid.+\/(arrow-left|circle-question-mark|download|minus|plus|rotate-ccw)\./,
]

const isOf = (parts: readonly RegExp[]) => (id: string) => parts.some((part) => part.test(id))

const chunkGroups = [
  // The entry imports packages that import the store, and uses nothing of it.
  { name: 'store', test: /solid-js\/store\//, priority: 4, includeDependenciesRecursively: false },
  { name: 'main', tags: ['$initial' as const], priority: 3 },
  { name: 'frame', test: isOf(FRAME), priority: 2 },
  { name: 'rows', test: isOf(ROWS), priority: 2, includeDependenciesRecursively: false },
  { name: 'home', test: /client\/src\/views\/home\/home\.tsx/, priority: 1 },
  { name: 'library', test: /client\/src\/views\/library\/library\.tsx/, priority: 1 },
  { name: 'media', test: isOf(MEDIA), priority: 1, includeDependenciesRecursively: false },
  // A few hundred bytes each, which the first script would have to name one by one.
  { name: 'icons', test: /lucide-solid/, minShareCount: 4, includeDependenciesRecursively: false },
]

/** The entry and the frame, on every screen: no link has to fetch them ahead, and each name in such a list is carried by a script. */
const isThere = (file: string) => /\/(index|fram)-/.test(file)

/** As their sources, all 1,800 icons would be compiled first, of which a hundred are used: a third of the build. */
const COMPILED_ICONS = join(import.meta.dirname, '../node_modules/lucide-solid/dist/esm/lucide-solid.mjs')

export default defineConfig({
  root: import.meta.dirname,
  // Relative addresses: one build serves every BASE_PATH.
  base: './',
  plugins: [solid(), tailwindcss(), iconsWithoutKeys, baseElement, preloads, serviceWorker],
  build: {
    target: 'es2022',
    // A browser that does not know these links loads the same scripts a little later.
    modulePreload: { polyfill: false, resolveDependencies: (file, needed) => needed.filter((name) => name !== file && !isThere(name)) },
    manifest: true,
    sourcemap: false,
    emptyOutDir: true,
    rolldownOptions: {
      output: {
        // The first script carries the names of all others: no longer than tells what they are, and of hashes, which cannot be
        // packed, whose letters take half a byte each.
        chunkFileNames: ({ name }) => `assets/${name.slice(0, 4)}-[hash:7].js`,
        hashCharacters: 'hex',
        codeSplitting: { groups: chunkGroups },
      },
    },
  },
  resolve: { alias: { 'lucide-solid': COMPILED_ICONS } },
  server: { port: 5173, proxy: { '/api': API_SERVER, '/metrics': API_SERVER } },
})
