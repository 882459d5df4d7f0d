/** What a benchmark finds, as rows with a verdict each. */

interface Reach {
  /** Whether the bound is on Vitrine's figure by itself or on its share of the peer's. */
  of: 'value' | 'ratio'
  bound: 'most' | 'least'
  limit: number
}

export const ratioAtMost = (limit: number): Reach => ({ of: 'ratio', bound: 'most', limit })
export const ratioAtLeast = (limit: number): Reach => ({ of: 'ratio', bound: 'least', limit })
export const atMost = (limit: number): Reach => ({ of: 'value', bound: 'most', limit })
export const atLeast = (limit: number): Reach => ({ of: 'value', bound: 'least', limit })

export interface Row {
  what: string
  unit: string
  /** Vitrine's figure: the median of its rounds unless `what` says otherwise. */
  vitrine: number
  /** What it is measured against, and that one's median; null where the peer is missing on this machine. */
  peer?: { name: string; value: number | null }
  /** What PERFORMANCE asks for; rows without it only inform. */
  reach?: Reach
  note?: string
}

type Verdict = 'ok' | 'MISSED' | 'no peer' | ''

export const ratioOf = ({ vitrine, peer }: Row): number | null => (peer?.value ? vitrine / peer.value : null)

export const verdictOf = (row: Row): Verdict => {
  if (!row.reach) return ''
  const figure = row.reach.of === 'ratio' ? ratioOf(row) : row.vitrine
  if (figure === null) return 'no peer'
  const isReached = row.reach.bound === 'most' ? figure <= row.reach.limit : figure >= row.reach.limit
  return isReached ? 'ok' : 'MISSED'
}

const SIGNIFICANT_DIGITS = 3

const figure = (value: number | null): string => {
  if (value === null) return '-'
  if (value === 0 || Math.abs(value) >= 100) return value.toFixed(0)
  return value.toPrecision(SIGNIFICANT_DIGITS)
}

const reachText = ({ reach, unit }: Row): string => {
  if (!reach) return ''
  return `${reach.bound === 'most' ? '<=' : '>='} ${reach.limit}${reach.of === 'ratio' ? ' x' : ` ${unit}`}`
}

const HEADINGS = ['measure', 'Vitrine', 'peer', 'against', 'ratio', 'reach', '']

const cellsOf = (row: Row): string[] => [
  row.what,
  `${figure(row.vitrine)} ${row.unit}`,
  row.peer ? `${figure(row.peer.value)} ${row.unit}` : '',
  row.peer?.name ?? '',
  row.peer ? figure(ratioOf(row)) : '',
  reachText(row),
  verdictOf(row),
]

/** The rows as aligned text, notes below their rows. */
export const formatTable = (rows: readonly Row[]): string => {
  const cells = [HEADINGS, ...rows.map(cellsOf)]
  const widths = HEADINGS.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)))
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  const body = rows.flatMap((row) => [line(cellsOf(row)), ...(row.note ? [`    ${row.note}`] : [])])
  return [line(HEADINGS), line(widths.map((width) => '-'.repeat(width))), ...body].join('\n')
}
