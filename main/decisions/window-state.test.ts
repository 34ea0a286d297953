import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Bounds, chooseState } from './window-state.ts'

const laptop = { x: 0, y: 0, width: 1366, height: 768 }
const beside = { x: 1366, y: 0, width: 2560, height: 1440 }
const bounds = fc.record({
  x: fc.integer({ min: -9000, max: 9000 }),
  y: fc.integer({ min: -9000, max: 9000 }),
  width: fc.integer({ min: 0, max: 9000 }),
  height: fc.integer({ min: 0, max: 9000 }),
})

describe('the place of the window', () => {
  it.each([
    [
      'the default, in the middle, at first',
      undefined,
      [beside],
      { x: 1926, y: 270, width: 1440, height: 900 },
    ],
    ['not larger than the screen', undefined, [laptop], { x: 0, y: 0, width: 1366, height: 768 }],
    [
      'its last place, on the second screen',
      { bounds: { x: 1500, y: 100, width: 1200, height: 800 }, maximized: false },
      [laptop, beside],
      { x: 1500, y: 100, width: 1200, height: 800 },
    ],
    [
      'on the first screen once the second is gone',
      { bounds: { x: 1500, y: 100, width: 1200, height: 700 }, maximized: false },
      [laptop],
      { x: 83, y: 34, width: 1200, height: 700 },
    ],
  ])('is %s', (_case, saved, screens, expected) => {
    expect(chooseState(saved, screens).bounds).toEqual(expected)
  })

  it('can always be reached by the mouse', () => {
    fc.assert(
      fc.property(bounds, fc.constantFrom([laptop], [laptop, beside], [beside]), (saved, screens) => {
        const { bounds: chosen } = chooseState({ bounds: saved, maximized: false }, screens)
        expect(screens.some((screen) => titleBarShows(chosen, screen))).toBe(true)
      }),
      { numRuns: 2000, examples: [[{ x: -8000, y: 0, width: 8200, height: 700 }, [laptop]]] },
    )
  })

  it.each([
    ['a zoom and a place in the studio', { zoom: 1.5, address: '/changes?x=1' }, 1.5, '/changes?x=1'],
    ['neither if none was stored', {}, 0, '/'],
    ['not a zoom that hides everything', { zoom: 400 }, 0, '/'],
    ['not an address on a different origin', { address: '//example.org/' }, 0, '/'],
    ['not an address that is not a text', { address: 7, zoom: '2' }, 0, '/'],
  ])('restores %s', (_case, kept, zoom, address) => {
    const saved = { bounds: { x: 0, y: 0, width: 1000, height: 700 }, maximized: true, ...kept }
    expect(chooseState(saved, [laptop])).toMatchObject({ maximized: true, zoom, address })
  })

  it('restores nothing from a file with any other content', () => {
    const usual = chooseState(undefined, [beside])
    fc.assert(
      fc.property(fc.jsonValue(), (saved) => {
        expect(chooseState(saved, [beside])).toEqual(usual)
      }),
    )
  })
})

function titleBarShows(window: Bounds, screen: Bounds): boolean {
  const across = Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x)
  return across >= 100 && window.y >= screen.y && window.y < screen.y + screen.height
}
