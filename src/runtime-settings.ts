/**
 * What the runtime reads of the environment when a process begins, and nowhere else; whoever has set one of them has the last word.
 * The image sets the same (test/support/container.test.ts). Runs before the dependencies are there: no package is imported.
 */
export const RUNTIME_SETTINGS = {
  /**
   * Bun reads files and hashes passwords with as many threads as there are cores, and a disk that hangs keeps each one that asks
   * about it: two such questions would stop a whole server. One that is never needed is never made.
   */
  UV_THREADPOOL_SIZE: '64',
  /**
   * How often a function runs, or a loop in it, before the slowest of the engine's compilers takes it: a hundred and fifty times as
   * often as it would. It compiles beside the work, with the same cores, and what takes a first scan of 100,000 files a tenth longer
   * is ready when the scan is over. A page of a list takes as long without it; what a server does for hours comes to it all the same.
   */
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: '10000000',
} as const
