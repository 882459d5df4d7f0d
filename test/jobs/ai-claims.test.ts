import { describe, expect, test } from 'bun:test'
import { AI_JOB_PRIORITY } from '../../src/domain/ai-job.ts'
import { createAiClaims, type LaneJob } from '../../src/jobs/ai-claims.ts'

const CLAIM = { owner: 'us', now: 1, leaseMs: 1, modelOnlyLibraries: [], modelOffLibraries: [] }
const ROOM = { model: 2, ahead: 0 }
const batch = (lane: LaneJob['lane']): LaneJob => ({ lane, job: { priority: AI_JOB_PRIORITY.batch } })
const urgent = (lane: LaneJob['lane']): LaneJob => ({ lane, job: { priority: AI_JOB_PRIORITY.interactive } })

const searches = (claims: ReturnType<typeof createAiClaims>, running: LaneJob[] = [], room = ROOM) =>
  claims.next(CLAIM, running, room).asked.map(({ search, limit }) => `${search}: ${limit}`)

describe('what is looked for', () => {
  test('no model where none is to be asked, and recognition all the same', () => {
    expect(searches(createAiClaims(), [], { model: 0, ahead: 0 })).toEqual(['recognition: 1', 'suspect recognition: 1'])
  })

  test('as many for models as the settings allow, less what is under way', () => {
    expect(searches(createAiClaims(), [batch('model')])).toEqual(['recognition: 1', 'model: 1', 'suspect: 1'])
    expect(searches(createAiClaims(), [batch('model'), batch('recognition')], { model: 2, ahead: 5 })).toContain('model: 6')
  })

  test('beside one picture that is read, only what somebody waits for', () => {
    expect(searches(createAiClaims(), [batch('recognition')], { model: 0, ahead: 0 })).toEqual(['urgent recognition: 1'])
    expect(searches(createAiClaims(), [urgent('recognition')], { model: 0, ahead: 0 })).toEqual([])
    expect(searches(createAiClaims(), [batch('recognition'), urgent('recognition')], { model: 0, ahead: 0 })).toEqual([])
  })

  test('what was claimed ahead does not hold up what somebody waits for', () => {
    const ahead = Array.from({ length: 7 }, () => batch('model'))
    expect(searches(createAiClaims(), [...ahead, urgent('model')], { model: 2, ahead: 3 })).toContain('urgent model: 1')
    expect(searches(createAiClaims(), [...ahead, urgent('model'), urgent('model')], { model: 2, ahead: 3 })).not.toContain(
      'urgent model: 1',
    )
  })
})

describe('a look that found nothing', () => {
  test('is not done again until there is news', () => {
    const claims = createAiClaims()
    claims.next(CLAIM, [], ROOM).found([0, 0, 0])
    expect(searches(claims)).toEqual([])
    claims.news()
    expect(searches(claims)).toEqual(['recognition: 1', 'model: 2', 'suspect: 1'])
  })

  test('for an urgent picture says nothing of those that are not', () => {
    const claims = createAiClaims()
    claims.next(CLAIM, [batch('recognition')], ROOM).found([0, 0, 0])
    expect(searches(claims)).toContain('recognition: 1')
  })

  test('while models had no room says nothing of those for models that a server ended with', () => {
    const claims = createAiClaims()
    claims.next(CLAIM, [batch('model'), batch('model')], ROOM).found([0, 0])
    expect(searches(claims)).toEqual(['model: 2', 'suspect: 1'])
  })

  test('is no last word where something was queued meanwhile', () => {
    const claims = createAiClaims()
    const { found } = claims.next(CLAIM, [], ROOM)
    claims.news()
    found([0, 0, 0])
    expect(searches(claims)).toContain('model: 2')
  })

  test('that found as many as it asked for is done again', () => {
    const claims = createAiClaims()
    claims.next(CLAIM, [], ROOM).found([1, 2, 0])
    expect(searches(claims)).toEqual(['recognition: 1', 'model: 2'])
  })
})
