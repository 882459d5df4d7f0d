/** The files of rate-limiter-flexible that are imported by themselves; its own types name only its index. */

declare module 'rate-limiter-flexible/lib/RateLimiterMemory.js' {
  // biome-ignore lint/style/noDefaultExport: what a CommonJS file exports
  export { RateLimiterMemory as default } from 'rate-limiter-flexible'
}

declare module 'rate-limiter-flexible/lib/RateLimiterRes.js' {
  // biome-ignore lint/style/noDefaultExport: what a CommonJS file exports
  export { RateLimiterRes as default } from 'rate-limiter-flexible'
}
