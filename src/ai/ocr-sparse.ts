/** Puts lines of vertical writing that were found here and there, as in bubbles, into the order in which they are read. */

export interface Box {
  left: number
  top: number
  width: number
  height: number
}

const right = ({ left, width }: Box): number => left + width
const bottom = ({ top, height }: Box): number => top + height

/** The part of the shorter extent that both have in common. */
const shared = (a: [from: number, to: number], b: [from: number, to: number]): number =>
  (Math.min(a[1], b[1]) - Math.max(a[0], b[0])) / Math.max(1, Math.min(a[1] - a[0], b[1] - b[0]))

const sharedHeight = (a: Box, b: Box): number => shared([a.top, bottom(a)], [b.top, bottom(b)])

/** Beside each other with no more than a line's width between them. */
const areNeighbours = (a: Box, b: Box): boolean => {
  const gap = Math.max(a.left, b.left) - Math.min(right(a), right(b))
  return gap < Math.max(a.width, b.width) && sharedHeight(a, b) > 0.3
}

/** The smallest box that holds all of them. */
export const around = (boxes: readonly Box[]): Box => {
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))]
  return { left, top, width: Math.max(...boxes.map(right)) - left, height: Math.max(...boxes.map(bottom)) - top }
}

/** Of what touches the first, then of what touches those. */
const group = <Line extends Box>(lines: readonly Line[]): Line[][] => {
  const rest = new Set(lines)
  const groups: Line[][] = []
  for (const first of rest) {
    rest.delete(first)
    const members = [first]
    for (const member of members) {
      const near = [...rest].filter((line) => areNeighbours(member, line))
      members.push(...near)
      for (const line of near) rest.delete(line)
    }
    groups.push(members)
  }
  return groups
}

/** Rows of bubbles from top to bottom, each from right to left, as the panels of manga are. */
const inRows = <Line extends Box>(groups: readonly Line[][]): Line[][] => {
  const rows: { box: Box; groups: { box: Box; lines: Line[] }[] }[] = []
  const byTop = groups.map((lines) => ({ box: around(lines), lines })).sort((a, b) => a.box.top - b.box.top)
  for (const entry of byTop) {
    const row = rows.find(({ box }) => sharedHeight(box, entry.box) > 0.5)
    if (row) row.groups.push(entry)
    else rows.push({ box: entry.box, groups: [entry] })
  }
  return rows.flatMap((row) => row.groups.sort((a, b) => right(b.box) - right(a.box)).map(({ lines }) => lines))
}

/** Bubbles in reading order, the lines of each from right to left. Pixels, any origin at the top left. */
export const orderVertical = <Line extends Box>(lines: readonly Line[]): Line[][] =>
  inRows(group(lines)).map((members) => members.sort((a, b) => right(b) - right(a)))
