import { Hono } from 'hono'
import { z } from 'zod'
import { CAPABILITIES } from '../domain/client-caps.ts'
import { VIDEO_QUALITIES } from '../domain/video-quality.ts'
import { answers, answersBytes } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requireUser } from '../http/guards.ts'
import { pageResponse } from '../http/page-response.ts'
import { validate } from '../http/validate.ts'
import { getPlayback } from '../services/playback.ts'
import { listPreviews, readPreview } from '../services/video-previews.ts'
import { playableQuery, wholeNumberIn } from './shapes.ts'

/** `Number` would also take `1e2`, `0x10`, ` 5` and nothing at all. */
const secondsField = z.preprocess(
  (text) => (typeof text === 'string' && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text),
  z.number('must be a number, in decimal digits').min(0).max(1e7, 'must be 10000000 or less'),
)

const playbackQuery = () =>
  z.object({
    ...playableQuery().shape,
    caps: z
      .string()
      .max(500)
      .regex(/^[\w, -]*$/, 'must be names divided by commas')
      .optional()
      .describe(`What the browser can play: ${CAPABILITIES.join(', ')}. Without it, what every current browser can.`),
    audio: z
      .string()
      .max(32)
      .optional()
      .describe('The sound track to hear: an id from audioTracks. Without it, the one in my audioLanguage, or else the file’s own.'),
    quality: z
      .preprocess(wholeNumberIn, z.literal(VIDEO_QUALITIES))
      .optional()
      .describe('Lines that the picture is made smaller to: one of qualities'),
    start: secondsField.optional().describe('Seconds at which the viewer means to begin'),
  })

const playback = () =>
  z.object({
    mode: z.enum(['direct', 'remux', 'transcode']),
    url: z.string(),
    mimeType: z.string().nullable(),
    durationSeconds: z.number().nullable(),
    container: z.string().nullable().describe('What the file is, whatever is made of it'),
    videoCodec: z.string().nullable(),
    audioTracks: z.array(
      z.object({
        id: z.string(),
        label: z.string(),
        language: z.string().nullable(),
        codec: z.string(),
        channels: z.int(),
        isDefault: z.boolean(),
      }),
    ),
    audioTrackId: z.string().nullable(),
    subtitleTracks: z.array(
      z.object({
        id: z.string(),
        label: z.string(),
        language: z.string().nullable(),
        isDefault: z.boolean(),
        isForced: z.boolean(),
        isForHearingImpaired: z.boolean(),
        url: z.string(),
      }),
    ),
    hasPictureSubtitles: z.boolean().describe('The file holds subtitles that are pictures, which are none of the tracks'),
    previewsUrl: z.string().nullable().describe('Small pictures along the video: WebVTT whose cues are addresses of pictures'),
    chapters: z.array(z.object({ startSeconds: z.number(), title: z.string().nullable() })),
    qualities: z.array(z.literal(VIDEO_QUALITIES)).describe('Lines that the picture can be made smaller to'),
    quality: z.literal(VIDEO_QUALITIES).nullable().describe('Which of them plays; null as good as can be'),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    obstacle: z.enum(['no_ffmpeg']).nullable(),
  })

const previewQuery = () => z.object({ ...playableQuery().shape, at: secondsField, v: z.string().max(64).optional() })

export const playbackRoutes = new Hono<AppEnv>()
  .get('/', requireUser(), validate('query', playbackQuery), answers(200, playback, 'How this browser should play a video'), async (c) =>
    c.json(await getPlayback(c.var.deps, c.var.viewer, c.req.valid('query')), 200, { 'Cache-Control': 'no-store' }),
  )
  .get(
    '/previews',
    requireUser(),
    validate('query', playableQuery),
    answersBytes(200, 'text/vtt', 'Small pictures along a video, as a list of cues that are addresses of pictures'),
    async (c) => {
      const list = await listPreviews(c.var.deps, c.var.viewer, c.req.valid('query'))
      return c.body(list, 200, { 'Content-Type': 'text/vtt; charset=utf-8', 'Cache-Control': 'private, no-cache' })
    },
  )
  .get(
    '/preview',
    requireUser(),
    validate('query', previewQuery),
    answersBytes(200, 'image/jpeg', 'One of them, made when it is asked for'),
    async (c) => {
      const { v, ...query } = c.req.valid('query')
      const { bytes, version } = await readPreview(c.var.deps, c.var.viewer, { ...query, signal: c.req.raw.signal })
      const page = { bytes, mediaType: 'image/jpeg', version: `${version}-${query.at}`, isImmutable: v === version }
      return pageResponse(c.req.raw, page)
    },
  )
