import { crc32, deflateSync } from 'node:zlib'

/** Small files that claim, or become, pictures of any size. */

/** A PNG of one colour and any size: a few kilobytes that become gigabytes. */
export const bombPng = (width: number, height: number, extraChunks: [type: string, data: Uint8Array][] = []): Buffer => {
  const chunk = (type: string, data: Uint8Array): Buffer => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(named), 4)
    return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(Math.min(height, 2000) * (Math.ceil(width / 8) + 1)))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...extraChunks.map(([type, data]) => chunk(type, data)),
    chunk('IDAT', rows),
    chunk('IEND', new Uint8Array()),
  ])
}

const sides = (width: number, height: number): number[] => [width & 255, width >> 8, height & 255, height >> 8]

export const gifOf = (width: number, height: number, frames: number): Buffer => {
  const head = Buffer.concat([Buffer.from('GIF89a'), Buffer.from([...sides(width, height), 0x80, 0, 0, 0, 0, 0, 255, 255, 255])])
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, ...sides(width, height), 0, 2, 2, 0x44, 1, 0])
  return Buffer.concat([head, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])])
}

const drawing = (width: number, height: number, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`

/** Drawings of some kilobytes that take days, or gigabytes. */
export const bombSvgs = {
  noise: drawing(
    1280,
    1280,
    `<filter id="f" x="0" y="0" width="1" height="1">${'<feTurbulence baseFrequency=".01" numOctaves="255"/>'.repeat(100)}</filter>
      <rect width="1280" height="1280" filter="url(#f)"/>`,
  ),
  uses: drawing(
    1280,
    1280,
    `<defs><rect id="u0" width="1280" height="1280" opacity=".1"/>
      ${Array.from({ length: 11 }, (_, level) => `<g id="u${level + 1}">${`<use href="#u${level}"/>`.repeat(3)}</g>`).join('')}
      </defs><use href="#u11"/>`,
  ),
  floods: drawing(
    1280,
    5120,
    `<filter id="f" x="0" y="0" width="1" height="1">${Array.from({ length: 500 }, (_, at) => `<feFlood result="r${at}"/>`).join('')}
      <feMerge>${Array.from({ length: 500 }, (_, at) => `<feMergeNode in="r${at}"/>`).join('')}</feMerge></filter>
      <rect width="1280" height="5120" filter="url(#f)"/>`,
  ),
}
