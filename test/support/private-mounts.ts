import { readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { runProgram } from './program.ts'

/**
 * A disk that a server sees mounted and the rest of the machine does not: a folder bound to a mount point in a mount
 * namespace of the server's own. Where this process may make none (a container without the right to), the disk is moved
 * into the mount point and out of it: what the server meets is an empty folder in its place all the same.
 */
export interface PrivateDisk {
  /** What must stand before the command line (and before `setpriv`) of a server that starts with the disk mounted, or without. */
  startWith: (isMounted: boolean) => string[]
  mount: (pid: number) => Promise<void>
  unmount: (pid: number) => Promise<void>
}

const NAMESPACE = ['unshare', '--mount', '--propagation', 'private']

const canMount = async (): Promise<boolean> =>
  Bun.which('unshare') !== null &&
  Bun.which('nsenter') !== null &&
  (await Bun.spawn([...NAMESPACE, 'mount', '--bind', '/tmp', '/tmp'], { stdout: 'ignore', stderr: 'ignore' }).exited) === 0

const moveAll = (from: string, to: string): void => {
  for (const name of readdirSync(from)) renameSync(join(from, name), join(to, name))
}

/** `disk` holds the files, `mountPoint` is empty; both exist, on one file system. */
export const privateDisk = async (disk: string, mountPoint: string): Promise<PrivateDisk> => {
  if (!(await canMount()))
    return {
      startWith: (isMounted) => {
        if (isMounted) moveAll(disk, mountPoint)
        else moveAll(mountPoint, disk)
        return []
      },
      mount: async () => moveAll(disk, mountPoint),
      unmount: async () => moveAll(mountPoint, disk),
    }
  const inside = (pid: number, ...command: string[]): Promise<Buffer> =>
    runProgram(['nsenter', '--target', String(pid), '--mount', '--', ...command])
  return {
    startWith: (isMounted) =>
      isMounted ? [...NAMESPACE, 'sh', '-c', 'mount --bind "$1" "$2" && shift 2 && exec "$@"', 'sh', disk, mountPoint] : NAMESPACE,
    mount: async (pid) => void (await inside(pid, 'mount', '--bind', disk, mountPoint)),
    unmount: async (pid) => void (await inside(pid, 'umount', '--lazy', mountPoint)),
  }
}
