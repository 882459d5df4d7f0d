/** The client's only door into the server's code: types, nothing that runs. */
export type { ApiType } from './app.ts'
