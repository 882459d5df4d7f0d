/**
 * Preloaded into a server (`BUN_OPTIONS=--preload …`): its clock is CLOCK_OFFSET_MS ahead, and goes as fast as any. A test
 * of a schedule starts it a few seconds before a full minute, since no schedule is finer than a minute. SIGUSR2 sets it
 * back by an hour.
 */
let offsetMs = Number(process.env.CLOCK_OFFSET_MS)
process.on('SIGUSR2', () => {
  offsetMs -= 3_600_000
})
const RealDate = Date
const now = (): number => RealDate.now() + offsetMs

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
