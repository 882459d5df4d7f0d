/** Runs a program to its end, with names in UTF-8 whatever the machine's language. Throws with what it wrote to its error output where it fails. */
export const runProgram = async (command: readonly string[], input?: Uint8Array): Promise<Buffer> => {
  const child = Bun.spawn([...command], {
    stdin: input ?? 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  })
  const [output, errors, exitCode] = await Promise.all([
    new Response(child.stdout).arrayBuffer(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (exitCode !== 0) throw new Error(`${command.slice(0, 12).join(' ')} ended with ${exitCode}: ${errors.trim()}`)
  return Buffer.from(output)
}

/** Does the work for every entry, at most `limit` at a time; the first failure ends it. */
export const forEachAtOnce = async <Entry>(
  limit: number,
  entries: readonly Entry[],
  work: (entry: Entry) => Promise<unknown>,
): Promise<void> => {
  const waiting = [...entries]
  const lane = async (): Promise<void> => {
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) await work(entry)
  }
  await Promise.all(Array.from({ length: limit }, lane))
}
