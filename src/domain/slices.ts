/** The values in their order, `size` at a time: each slice is one statement or one short transaction. */
export function* slicesOf<T>(values: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < values.length; start += size) yield values.slice(start, start + size)
}
