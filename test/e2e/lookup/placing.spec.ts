// The position of the open list, the height of its rows, and what remains after it is closed.
import { expect, input, isOpen, part, test } from '../support/lookup-page.ts'

const field = '<svc-lookup-field mode="edit" label="Who" search-delay="0"></svc-lookup-field>'

test('an open list follows scrolling within the same frame; a closed one does not', async ({ lookup }) => {
  const { page } = lookup
  const one = await lookup.show(`<section>${field}<p></p></section>`)
  await page.evaluate(() => {
    Object.assign(document.querySelector('section')!.style, { height: '80px', overflow: 'auto' })
    document.querySelector('p')!.style.height = '900px'
    // Timers are counted, and never fire: the list follows the scrolling itself.
    const timers = new Set<number>()
    let last = 0
    Object.assign(window, {
      timers,
      setInterval: () => timers.add((last += 1)) && last,
      clearInterval: (timer: number) => timers.delete(timer),
    })
  })
  /** The distance of the list below its field, one frame after a scroll. */
  const gap = (top: number): Promise<number> =>
    one.evaluate(async (element, to) => {
      const [combo, list] = ['combo', 'listbox'].map((name) =>
        element.shadowRoot!.querySelector<HTMLElement>(`[part=${name}]`)!,
      )
      element.closest('section')!.scrollTop = to
      await new Promise(requestAnimationFrame)
      return Math.round(parseFloat(list!.style.top) - combo!.getBoundingClientRect().bottom)
    }, top)
  const timers = (): Promise<unknown> => page.evaluate('timers.size')
  await input(one).click()
  for (const _opening of [1, 2]) {
    await expect(part(one, 'option')).toHaveCount(5)
    expect(await gap(10)).toBe(4)
    expect(await timers()).toBe(1)
    await page.keyboard.press('Escape')
    expect(await timers()).toBe(0)
    expect(await gap(0)).toBe(-6)
    await page.keyboard.press('ArrowDown')
  }
})

test('rows of a long list are as high as their text at each opening', async ({ lookup }) => {
  const { page } = lookup
  const one = await lookup.show(field, 'many')
  await page.keyboard.press('Tab')
  const height = (): Promise<number> =>
    part(one, 'option').evaluateAll(([first, second]) => {
      const [at, next] = [first, second].map((row) => row!.getBoundingClientRect().y)
      return Math.round((next! - at!) * 64) / 64
    })
  for (const [size, high] of [
    ['13px', 28],
    ['39px', 53],
    ['13px', 28],
  ] as const) {
    await page.keyboard.press('Escape')
    expect(await isOpen(one)).toBe(false)
    await one.evaluate((element, given) => {
      ;(element as HTMLElement).style.setProperty('--svc-text-row', given)
    }, size)
    await page.keyboard.press('ArrowDown')
    await expect(part(one, 'option').first()).toHaveText('Row 0')
    expect(await height()).toBe(high)
  }
})
