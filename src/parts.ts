/** The parts of a running server: what services are given, the work in the background, and how both begin and end. */

import { createAuth } from './auth/auth.ts'
import type { Config } from './config.ts'
import type { DatabaseHandle } from './db/client.ts'
import { createWriter } from './db/writer.ts'
import type { Deps } from './deps.ts'
import { createRequestLimits } from './http/request-limit.ts'
import { createAiQueue } from './jobs/ai-queue.ts'
import { createClockWatch } from './jobs/clock-watch.ts'
import { createDailyBackups } from './jobs/daily-backups.ts'
import { createDiskWatch } from './jobs/disk-watch.ts'
import { createHlsSessions } from './jobs/hls-sessions.ts'
import { createMediaReader } from './jobs/media-reader.ts'
import { createNfoJobs } from './jobs/nfo-jobs.ts'
import { createPageReader } from './jobs/page-reader.ts'
import { createRemovals } from './jobs/removals.ts'
import { createScanRunner } from './jobs/scan-runner.ts'
import { createSubtitleConverter } from './jobs/subtitle-converter.ts'
import { createThumbnailQueue } from './jobs/thumbnail-queue.ts'
import { createThumbnailSweep } from './jobs/thumbnail-sweep.ts'
import { createUpkeep } from './jobs/upkeep.ts'
import { createUploadEncoder } from './jobs/upload-encoder.ts'
import type { Log } from './log.ts'
import { lastKnownTime, recoverDeletions } from './services/deletion-recovery.ts'
import { createEventBus } from './services/events.ts'
import { createPlaces } from './services/places.ts'
import { prepareService, resolveLibraryPaths } from './services/startup.ts'

/** How long a stop waits for the step of the start that it has come upon: a disk that hangs may hold that up. */
const STEP_MS = 2_000

interface Parts {
  deps: Deps
  /** Takes up what was left to do, and makes what flags and environment ask for, as far as it comes before `stop`. */
  start(): Promise<void>
  /** Begins what nobody waits for. */
  wake(): void
  /** Begins nothing more; resolves once what runs has stopped. */
  stop(): Promise<void>
  /** Lets go of the threads that whoever was still answered may have needed. */
  close(): void
}

interface Ground {
  config: Config
  /** With all its migrations. */
  database: DatabaseHandle
  log: Log
}

export const createParts = async (
  { config, database, log }: Ground,
  /** `isShared`: other servers may be at work on the same data. */
  { isShared, beginAnewWith }: { isShared: boolean; beginAnewWith: Deps['beginAnewWith'] },
): Promise<Parts> => {
  const { db } = database
  const write = createWriter(database)
  const events = createEventBus()
  const unsettled = await recoverDeletions({ db, write, log, events }, { isShared })
  const auth = createAuth({ config, db, write, log })
  const uploads = createUploadEncoder({ log })
  const subtitles = createSubtitleConverter({ log })
  const diskWatch = await createDiskWatch(
    { config, log },
    {
      onRoom: () => {
        thumbnails.wake()
        aiQueue.wake()
      },
    },
  )
  const isDiskNearlyFull = diskWatch.isNearlyFull
  const thumbnailSweep = createThumbnailSweep({ config, db, log })
  const thumbnails = createThumbnailQueue({ config, db, write, log }, { isScanning: () => scans.isBusy(), isDiskNearlyFull })
  const media = createMediaReader({ config, db, write, log, subtitles }, { isElsewhere: () => scans.isBusy() || thumbnails.isLooking() })
  const hls = createHlsSessions({ config, db, log }, { isDiskNearlyFull })
  const nfoJobs = createNfoJobs({ db, write, log, events })
  const pages = createPageReader({ config, log }, { isDiskNearlyFull })
  const clock = createClockWatch(await lastKnownTime({ db }, Date.now()))
  const removals = createRemovals({ db, write, log, events }, { clock, unsettled, isShared })
  const aiQueue = createAiQueue({ config, db, write, log, events }, { isShared, clock, isDiskNearlyFull, rested: () => upkeep.wake() })
  const scans = createScanRunner({ db, write, log, events, thumbnails, aiQueue }, { isShared })
  const dailyBackups = createDailyBackups({ config, log }, { isShared })
  const upkeep = createUpkeep({ db, write, log }, { isScanning: () => scans.isBusy() })
  const deps: Deps = {
    config,
    db,
    write,
    log,
    events,
    places: createPlaces(),
    limits: createRequestLimits(),
    auth,
    scans,
    thumbnails,
    media,
    hls,
    uploads,
    subtitles,
    nfoJobs,
    removals,
    pages,
    aiQueue,
    upkeep,
    beginAnewWith,
  }

  const wakeReaders = (): void => {
    upkeep.wake()
    thumbnails.wake()
    media.wake()
  }
  /** A disk that is full or gone is no reason not to stop; what that leaves behind, the next start sees to. */
  const asFarAsItGoes = (work: Promise<unknown>): Promise<unknown> =>
    work.catch((error: unknown) => log.warn('not_stopped_well', { error }))

  const takeUp = async (): Promise<void> => {
    events.subscribe((event) => {
      if (event.type === 'library') wakeReaders()
    })
    for (const step of [() => resolveLibraryPaths(deps), aiQueue.start, scans.start, () => prepareService(deps)]) {
      // A database in a file answers at once: whoever asks meanwhile would wait for all of them.
      await Bun.sleep(0)
      if (isStopping) return
      await step()
    }
  }
  let starting: Promise<void> | undefined
  let isStopping = false

  return {
    deps,
    start: () => {
      starting = takeUp()
      return starting
    },
    wake: () => {
      wakeReaders()
      nfoJobs.wake()
      removals.wake()
    },
    stop: async () => {
      isStopping = true
      await Promise.race([starting?.catch(() => undefined), Bun.sleep(STEP_MS)])
      diskWatch.stop()
      events.close()
      thumbnails.stop()
      const working = [scans, upkeep, hls, media, nfoJobs, removals, thumbnailSweep, dailyBackups, aiQueue]
      await Promise.all(working.map((part) => asFarAsItGoes(part.stop())))
    },
    close: () => {
      thumbnails.close()
      uploads.close()
      subtitles.close()
      pages.close()
    },
  }
}
