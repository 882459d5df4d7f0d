import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import solid from 'vite-plugin-solid'

const API_SERVER = process.env.VITRINE_API ?? 'http://localhost:3000'

/** In production the server writes `<base>` from its BASE_PATH; the development server stands at the root. */
const baseElement: Plugin = {
  name: 'vitrine-base-element',
  apply: 'serve',
  transformIndexHtml: () => [{ tag: 'base', attrs: { href: '/' }, injectTo: 'head-prepend' }],
}

export default defineConfig({
  root: import.meta.dirname,
  // Relative addresses: one build serves every BASE_PATH.
  base: './',
  plugins: [solid(), tailwindcss(), baseElement],
  build: { target: 'es2022', manifest: true, sourcemap: false, emptyOutDir: true },
  server: { port: 5173, proxy: { '/api': API_SERVER, '/metrics': API_SERVER } },
})
