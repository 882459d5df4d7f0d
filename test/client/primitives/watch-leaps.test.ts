import { expect, test } from 'bun:test'
import { watchLeaps } from '../../../client/src/primitives/watch-leaps.ts'

/** A film of a minute, and what others hear of it. */
const play = () => {
  const video = Object.assign(new EventTarget(), { currentTime: 0, duration: 60, ended: false })
  const heard: string[] = []
  const leaps: number[] = []
  for (const name of ['timeupdate', 'pause', 'ended']) video.addEventListener(name, () => heard.push(name))
  const stop = watchLeaps(video, (from) => leaps.push(from))
  const tell = (name: string, currentTime: number) => {
    video.currentTime = currentTime
    video.dispatchEvent(new Event(name))
  }
  const end = () => {
    video.ended = true
    heard.length = 0
    for (const name of ['timeupdate', 'pause', 'ended']) tell(name, 60)
    video.ended = false
  }
  return { heard, leaps, stop, tell, end }
}

test('a film that leaps to its end has not ended for anybody, and goes on from where it was sought', () => {
  const { heard, leaps, tell, end } = play()
  tell('timeupdate', 4)
  tell('seeking', 18)
  tell('timeupdate', 10)
  end()
  expect({ heard, leaps }).toEqual({ heard: [], leaps: [18] })
})

test('what leaps again is a file that has no more; what has stopped watching hears of every end', () => {
  const again = play()
  again.end()
  again.end()
  const stopped = play()
  stopped.stop()
  stopped.end()
  for (const { heard } of [again, stopped]) expect(heard).toEqual(['timeupdate', 'pause', 'ended'])
  expect([again.leaps, stopped.leaps]).toEqual([[0], []])
})

test('a film has ended where it was played to its end, or moved there by hand', () => {
  for (const way of ['timeupdate', 'seeking']) {
    const { heard, leaps, tell, end } = play()
    tell(way, 59.5)
    end()
    expect({ heard, leaps }).toEqual({ heard: ['timeupdate', 'pause', 'ended'], leaps: [] })
  }
})
