import { expect, test } from 'bun:test'
import { drawSvg } from '../../src/media/svg.ts'
import { bombSvgs } from '../support/picture-bombs.ts'

test('a drawing that names itself again and again, which would take days, is ended when its time is up', async () => {
  const drawing = drawSvg(new TextEncoder().encode(bombSvgs.uses), { maxWidth: 1280, maxHeight: 1280, maxSeconds: 1 })
  expect(await drawing.catch(({ code }) => code)).toBe('too_large')
})
