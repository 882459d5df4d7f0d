/** The light build comes without types of its own; it is the same player without what we do not stream. */
declare module 'hls.js/light' {
  export { default } from 'hls.js'
}
