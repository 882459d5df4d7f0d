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

const COLOUR = '#0f1115'

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
    navigateFallback: 'index.html',
    // Under any base path.
    navigateFallbackDenylist: [/\/api\//, /\/metrics$/],
    cleanupOutdatedCaches: true,
    inlineWorkboxRuntime: true,
  },
})

export default defineConfig({
  root: import.meta.dirname,
  // Relative addresses: one build serves every BASE_PATH.
  base: './',
  plugins: [solid(), tailwindcss(), baseElement, serviceWorker],
  build: { target: 'es2022', manifest: true, sourcemap: false, emptyOutDir: true },
  server: { port: 5173, proxy: { '/api': API_SERVER, '/metrics': API_SERVER } },
})
