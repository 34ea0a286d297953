import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Bounds, chooseBounds } from './window-bounds.ts'

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
      'the usual, in the middle, at first',
      undefined,
      [beside],
      { x: 1926, y: 270, width: 1440, height: 900 },
    ],
    ['no larger than the screen', undefined, [laptop], { x: 0, y: 0, width: 1366, height: 768 }],
    [
      'where it was, on the second screen',
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
    expect(chooseBounds(saved, screens).bounds).toEqual(expected)
  })

  it('can always be taken hold of', () => {
    fc.assert(
      fc.property(bounds, fc.constantFrom([laptop], [laptop, beside], [beside]), (saved, screens) => {
        const { bounds: chosen } = chooseBounds({ bounds: saved, maximized: false }, screens)
        expect(screens.some((screen) => titleBarShows(chosen, screen))).toBe(true)
      }),
      { numRuns: 2000, examples: [[{ x: -8000, y: 0, width: 8200, height: 700 }, [laptop]]] },
    )
  })

  it('takes nothing from a file that holds anything else', () => {
    const usual = chooseBounds(undefined, [beside])
    fc.assert(
      fc.property(fc.jsonValue(), (saved) => {
        expect(chooseBounds(saved, [beside])).toEqual(usual)
      }),
    )
  })
})

function titleBarShows(window: Bounds, screen: Bounds): boolean {
  const across = Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x)
  return across >= 100 && window.y >= screen.y && window.y < screen.y + screen.height
}
