import { chmodSync, chownSync } from 'node:fs'
import { runProgram } from './program.ts'

/** Modes mean nothing to root, and tests often run as root: the server then runs as nobody. */
const isRoot = process.getuid?.() === 0
const NOBODY = 65_534

/** Starts a program as somebody whom modes bind. */
export const AS_ORDINARY_USER: readonly string[] = isRoot
  ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--no-new-privs']
  : []

/** Makes everything at and below a folder that user's own; the folders around it must let them pass. */
export const giveToOrdinaryUser = async (path: string): Promise<void> => {
  if (isRoot) await runProgram(['chown', '--recursive', '--no-dereference', `${NOBODY}:${NOBODY}`, path])
}

/** Lets everybody pass through a temporary folder, which is private otherwise. */
export const letOrdinaryUserPass = (folder: string): void => {
  chmodSync(folder, 0o755)
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
}
