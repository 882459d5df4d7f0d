/** PQ and HLG pictures look washed out when their values are taken for ordinary ones (Immich #14789, #15867; Jellyfin's tone mapping). */

import { childEnvironment } from './program.ts'

/** ffmpeg's names of the transfer characteristics (ITU-T H.273) of pictures with a high dynamic range. */
const HDR_TRANSFERS: ReadonlySet<string> = new Set(['smpte2084', 'arib-std-b67'])

/** Whether a stream with this transfer, as ffprobe names it, needs `toneMapping`. */
export const isHdr = (transfer: string | null | undefined): boolean => HDR_TRANSFERS.has(transfer ?? '')

/** Filters that make an ordinary picture (BT.709) of one with this transfer. All of them are BT.2020, also those that leave it unsaid. */
export const toneMapping = (transfer: string): string =>
  [
    `setparams=color_trc=${transfer}:color_primaries=bt2020:colorspace=bt2020nc`,
    'zscale=t=linear:npl=100',
    'format=gbrpf32le',
    'zscale=p=bt709',
    'tonemap=hable:desat=0',
    'zscale=t=bt709:m=bt709:r=tv',
  ].join(',')

const FILTERS = ['zscale', 'tonemap']

const look = async (ffmpegPath: string): Promise<boolean> => {
  const child = Bun.spawn([ffmpegPath, '-hide_banner', '-filters'], { stdio: ['ignore', 'pipe', 'ignore'], env: childEnvironment() })
  const lines = (await new Response(child.stdout).text()).split('\n').map((line) => line.trim().split(/\s+/))
  return FILTERS.every((filter) => lines.some(([, name]) => name === filter))
}

const known = new Map<string, Promise<boolean>>()

/** Whether this ffmpeg has the filters; some are built without. */
export const canToneMap = (ffmpegPath: string): Promise<boolean> =>
  known.getOrInsertComputed(ffmpegPath, () => look(ffmpegPath).catch(() => false))
