/** The threads, each of which is a program of its own. */
export const THREADS = ['ai', 'ai-asker', 'encoder', 'page-reader', 'scanner', 'subtitles', 'thumbnailer'] as const

/** The folder of the compiled threads, absolute; only compiled code has it (src/compile.ts). */
declare const COMPILED_THREADS: string | undefined

/** What to start a `Worker` with. */
export const threadUrl = (name: (typeof THREADS)[number]): string =>
  typeof COMPILED_THREADS === 'undefined' ? new URL(`../workers/${name}.ts`, import.meta.url).href : `${COMPILED_THREADS}/${name}.js`
