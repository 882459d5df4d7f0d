/**
 * Bun reads files and hashes passwords with as many threads as there are cores, and a disk that hangs keeps each one that asks
 * about it: two such questions would stop a whole server. How many there may be is read when a process begins, so this one
 * begins anew, as itself: signals still reach it. A thread that is never needed is never made.
 */

const THREADS = '64'

if (process.env.UV_THREADPOOL_SIZE === undefined)
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    ...process.env,
    UV_THREADPOOL_SIZE: THREADS,
  })
