import { describe, expect, test } from 'bun:test'
import { type AiPlaces, createAiPlaces } from '../../src/jobs/ai-places.ts'

/** Takes places in this order; says who has one. */
const takers = (places: AiPlaces) => {
  const has: string[] = []
  const take = (name: string, asker: 'alone' | 'together', isUrgent = false): void =>
    places.take(asker, isUrgent, (isTaken) => void has.push(isTaken ? name : `not ${name}`))
  return { take, has: async () => Bun.sleep(0).then(() => has) }
}

const placesFor = (count: number): AiPlaces => {
  const places = createAiPlaces()
  places.resize(count)
  return places
}

describe('places for questions', () => {
  test('are as many as the settings allow for threads of their own, the urgent first', async () => {
    const places = placesFor(1)
    const { take, has } = takers(places)
    take('a', 'alone')
    take('b', 'alone')
    take('c', 'alone', true)
    expect(await has()).toEqual(['a'])
    places.free('alone')
    expect(await has()).toEqual(['a', 'c'])
    places.resize(2)
    expect(await has()).toEqual(['a', 'c', 'b'])
  })

  test('are given ahead to the thread that counts by itself, while no other asks', async () => {
    const places = placesFor(1)
    const { take, has } = takers(places)
    for (const name of ['a', 'b', 'c']) take(name, 'together')
    expect(await has()).toEqual(['a', 'b', 'c'])
    take('d', 'alone')
    take('e', 'together')
    expect(await has()).toEqual(['a', 'b', 'c'])
    for (const _ of ['a', 'b', 'c']) places.free('together')
    expect(await has()).toEqual(['a', 'b', 'c', 'd'])
    places.free('alone')
    expect(await has()).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('turn away whoever waits, and nobody else', async () => {
    const places = placesFor(1)
    const { take, has } = takers(places)
    take('a', 'alone')
    take('b', 'alone')
    take('c', 'together')
    places.turnAway()
    expect(await has()).toEqual(['a', 'not b', 'not c'])
    places.free('alone')
    take('d', 'alone')
    expect(await has()).toEqual(['a', 'not b', 'not c', 'd'])
  })

  test('that are given back at once go to the next, however many wait', () => {
    const places = placesFor(1)
    places.take('alone', false, () => undefined)
    let served = 0
    for (let count = 0; count < 20_000; count += 1)
      places.take('together', false, () => {
        served += 1
        places.free('together')
      })
    places.free('alone')
    expect(served).toBe(20_000)
  })
})
