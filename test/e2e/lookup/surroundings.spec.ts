// The surroundings: focus, windows, shadow roots, clipping, direction, colours, motion, touch.
import type { Locator, Page } from '@playwright/test'
import { boxOf, expect, input, isOpen, part, test, testInOwnPage } from '../support/lookup-page.ts'

const edit = (more = ''): string =>
  `<svc-lookup-field mode="edit" label="Who" search-delay="0" ${more}></svc-lookup-field>`
const expectOpen = (field: Locator): Promise<void> => expect.poll(() => isOpen(field)).toBe(true)
const expectClosed = (field: Locator): Promise<void> => expect.poll(() => isOpen(field)).toBe(false)

/** The field in a shadow root in a shadow root, the inner one scrolling, and a button in the outer one. */
async function nested(page: Page): Promise<Locator> {
  await page.evaluate(() => {
    const outer = document.createElement('div').attachShadow({ mode: 'open' })
    const scroller = document.createElement('div')
    Object.assign(scroller.style, { height: '90px', overflow: 'auto' })
    const inner = scroller.appendChild(document.createElement('div')).attachShadow({ mode: 'open' })
    const field = document.createElement('svc-lookup-field')
    field.setAttribute('mode', 'edit')
    field.setAttribute('search-delay', '0')
    field.search = window.sources['people']!
    const tall = document.createElement('p')
    tall.style.height = '900px'
    inner.append(field, tall)
    const next = document.createElement('button')
    next.textContent = 'Next'
    outer.append(scroller, next)
    document.querySelector('main')!.append(outer.host)
  })
  return page.locator('svc-lookup-field')
}

test('focus that leaves for a different shadow root around it closes it, and restores the name', async ({
  lookup,
}) => {
  const { page } = lookup
  const field = await nested(page)
  await input(field).fill('ada')
  await expectOpen(field)
  await page.getByRole('button', { name: 'Next' }).click()
  await expectClosed(field)
  await expect(input(field)).toHaveValue('')
})

test('it follows its field if a shadow root around it scrolls', async ({ lookup }) => {
  const { page } = lookup
  const field = await nested(page)
  await input(field).click()
  await expectOpen(field)
  const top = async (): Promise<number> => (await boxOf(part(field, 'listbox'))).y
  const before = await top()
  await page.evaluate(() => {
    const outer = document.querySelector('main')!.lastElementChild!.shadowRoot!
    outer.querySelector('div')!.scrollTop = 12
  })
  await expect.poll(top).toBe(before - 12)
})

test('focus that moves into a frame closes it', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit())
  await page.evaluate(() => {
    const frame = document.createElement('iframe')
    document.querySelector('main')!.append(frame)
    frame.contentDocument!.body.tabIndex = 0
  })
  await input(field).click()
  await expectOpen(field)
  await page.evaluate(() => {
    const frame = document.querySelector('iframe')!
    frame.contentWindow!.focus()
    frame.contentDocument!.body.focus()
  })
  await expectClosed(field)
})

test('a press on the page next to it closes it', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit())
  await input(field).click()
  await expectOpen(field)
  await page.mouse.click(700, 700)
  await expectClosed(field)
})

test('a press on the list’s border, on a separator, or on a caption leaves it open and keeps the focus', async ({
  lookup,
}) => {
  const { page } = lookup
  const field = await lookup.show(edit(), 'many')
  await input(field).click()
  const box = await boxOf(part(field, 'listbox'))
  await page.mouse.click(box.x + box.width / 2, box.y + 1)
  await expect(input(field)).toBeFocused()
  expect(await isOpen(field)).toBe(true)
  expect(await lookup.events()).toEqual([])
  await page.keyboard.type('zzzz')
  await part(field, 'listbox').getByRole('option').click({ force: true })
  await expect(input(field)).toBeFocused()
  expect([await isOpen(field), await lookup.events()]).toEqual([true, []])
})

test('returning from another window searches nothing, and the text is searched when the field is focused again', async ({
  lookup,
}) => {
  const { page } = lookup
  const field = await lookup.show(edit())
  await page.keyboard.press('Tab')
  await page.keyboard.type('tur')
  await expectOpen(field)
  await lookup.queries()
  await page.evaluate(() => {
    const inner = document.querySelector('svc-lookup-field')!.shadowRoot!.querySelector('input')!
    document.hasFocus = () => false
    inner.dispatchEvent(new FocusEvent('focusout', { bubbles: true, composed: true, relatedTarget: null }))
    document.hasFocus = () => true
    inner.dispatchEvent(new FocusEvent('focus'))
  })
  expect([await isOpen(field), await lookup.queries()]).toEqual([false, []])
  await field.evaluate((element) => element.focus())
  await expectOpen(field)
  expect(await lookup.queries()).toEqual(['tur'])
})

test('near the bottom of the window it opens above, and stays there as it fills', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit(), 'slow')
  await field.evaluate((element) =>
    Object.assign((element as HTMLElement).style, { position: 'fixed', bottom: '90px', width: '300px' }),
  )
  await input(field).click()
  await expectOpen(field)
  const above = async (): Promise<boolean> => {
    const [list, combo] = [await boxOf(part(field, 'listbox')), await boxOf(part(field, 'combo'))]
    return Math.abs(list.y + list.height + 4 - combo.y) < 1
  }
  expect(await above()).toBe(true)
  await page.evaluate(() => window.pending[0]!.resolve(Array.from({ length: 40 }, (_, n) => `Row ${n}`)))
  await expect(part(field, 'option').first()).toHaveAttribute('aria-setsize', '40')
  expect(await above()).toBe(true)
  expect((await boxOf(part(field, 'listbox'))).y).toBeGreaterThanOrEqual(0)
})

test('with an on-screen keyboard the list opens above, and stays in the visible area', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit(), 'many')
  await page.evaluate(() => {
    const seen = Object.assign(new EventTarget(), { offsetTop: 40, height: innerHeight - 40 })
    Object.defineProperty(window, 'visualViewport', { value: seen })
  })
  await field.evaluate((element) =>
    Object.assign((element as HTMLElement).style, { position: 'fixed', top: '240px', width: '300px' }),
  )
  await input(field).click()
  const list = async (): Promise<{ y: number; height: number }> => await boxOf(part(field, 'listbox'))
  const combo = await boxOf(part(field, 'combo'))
  expect((await list()).y).toBeGreaterThan(combo.y)
  await page.evaluate(() => {
    Object.assign(visualViewport!, { height: 260 })
    visualViewport!.dispatchEvent(new Event('resize'))
  })
  await expect.poll(async () => Math.round((await list()).y + (await list()).height)).toBe(combo.y - 4)
  expect((await list()).y).toBeGreaterThanOrEqual(40)
})

test('a window that grows with the list open shows more rows of it', async ({ lookup }) => {
  const { page } = lookup
  await page.setViewportSize({ width: 600, height: 180 })
  const field = await lookup.show(edit(), 'many')
  await input(field).click()
  await expect(part(field, 'listbox')).not.toHaveCSS('height', '320px')
  await part(field, 'listbox').evaluate((list) => (list.scrollTop = 2800))
  await expect(part(field, 'option').getByText('Row 100', { exact: true })).toBeVisible()
  await page.setViewportSize({ width: 600, height: 700 })
  await expect(part(field, 'listbox')).toHaveCSS('height', '320px')
  const lowest = (): Promise<string | undefined> =>
    part(field, 'listbox').evaluate((list) => {
      const { bottom, left } = list.getBoundingClientRect()
      const root = list.getRootNode() as ShadowRoot
      return root.elementFromPoint(left + 20, bottom - 12)?.closest('[role=option]')?.textContent
    })
  await expect.poll(lowest).toBe('Row 110')
})

test('moving through the list scrolls the list, never the page', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(`<p id="tall"></p>${edit()}<p id="more"></p>`, 'many')
  await page.evaluate(() => {
    for (const each of document.querySelectorAll('p')) each.style.height = '1500px'
    document.querySelector('svc-lookup-field')!.scrollIntoView({ block: 'center' })
  })
  await input(field).click()
  const before = await page.evaluate(() => scrollY)
  for (let at = 0; at < 20; at += 1) await page.keyboard.press('ArrowDown')
  await expect(field.locator('[aria-selected=true]')).toHaveText('Row 19')
  await expect(field.locator('[aria-selected=true]')).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => scrollY)).toBe(before)
})

test('above a modal dialog it is visible and can be pressed; Escape closes the list first and then the dialog', async ({
  lookup,
}) => {
  const { page } = lookup
  const field = await lookup.show(`<dialog>${edit()}</dialog>`)
  await page.evaluate(() => document.querySelector('dialog')!.showModal())
  await input(field).click()
  await expectOpen(field)
  await page.keyboard.press('Escape')
  await expectClosed(field)
  expect(await page.evaluate(() => document.querySelector('dialog')!.open)).toBe(true)
  await page.keyboard.press('ArrowDown')
  await part(field, 'option').last().click()
  expect(await lookup.events()).toHaveLength(1)
  await page.keyboard.press('Escape')
  expect(await page.evaluate(() => document.querySelector('dialog')!.open)).toBe(false)
})

test('in a browser without a top layer it opens below its field', async ({ lookup }) => {
  const { page } = lookup
  await page.evaluate(() => delete (HTMLElement.prototype as Partial<HTMLElement>).showPopover)
  const field = await lookup.show(edit())
  await input(field).click()
  await expect(part(field, 'option').last()).toBeVisible()
  const [list, combo] = [await boxOf(part(field, 'listbox')), await boxOf(part(field, 'combo'))]
  expect([Math.round(list.y - combo.y - combo.height), list.x, list.width]).toEqual([4, combo.x, combo.width])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expectClosed(field)
  expect(await lookup.events()).toHaveLength(1)
})

test('right to left it is mirrored, and a name keeps its own direction', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(`<section dir="rtl">${edit('value="p1" display="Ada"')}</section>`, 'none')
  await page.evaluate(() => {
    document.querySelector('svc-lookup-field')!.search = () => [
      { value: '1', label: 'עדה לאבלייס (1815)' },
      { value: '2', label: 'Ada (1815)' },
    ]
  })
  await input(field).click()
  const box = async (name: string): Promise<number> => (await boxOf(part(field, name).first())).x
  expect(await box('icon')).toBeGreaterThan(await box('input'))
  expect(await box('clear')).toBeLessThan(await box('input'))
  const [list, combo] = [await boxOf(part(field, 'listbox')), await boxOf(part(field, 'combo'))]
  expect([list.x, list.width]).toEqual([combo.x, combo.width])
  await field.evaluate((element) => element.setAttribute('message', 'Who wrote it.'))
  const help = await part(field, 'message').evaluate((each) => {
    const { unicodeBidi, textAlign } = getComputedStyle(each)
    return [unicodeBidi, textAlign]
  })
  expect(help).toEqual(['plaintext', 'right'])
  await page.keyboard.press('ArrowDown')
  const active = field.locator('[aria-selected=true]')
  expect(await active.evaluate((each) => getComputedStyle(each).boxShadow)).toContain('-2px')
  expect(await active.locator('.name').evaluate((each) => getComputedStyle(each).unicodeBidi)).toBe(
    'plaintext',
  )
})

test('a page that changes its direction finds the open list on the other side', async ({ lookup }) => {
  const field = await lookup.show(edit())
  await field.evaluate((element) => Object.assign(element.style, { width: '120px', margin: 'auto' }))
  await input(field).click()
  const apart = async (): Promise<number> => {
    const [list, combo] = [await boxOf(part(field, 'listbox')), await boxOf(part(field, 'combo'))]
    return list.x - combo.x
  }
  await expect.poll(apart).toBe(0)
  await field.evaluate((element) => (element.ownerDocument.documentElement.dir = 'rtl'))
  await expect.poll(apart).toBe(-120)
})

test('in forced colours the active option, the focus and an invalid state use the system’s colours', async ({
  lookup,
}) => {
  const { page } = lookup
  await page.emulateMedia({ forcedColors: 'active' })
  const field = await lookup.show(edit())
  await input(field).click()
  await page.keyboard.type('ada')
  const system = (colour: string): Promise<string> =>
    page.evaluate((name) => {
      const probe = document.createElement('p')
      probe.style.cssText = `forced-color-adjust: none; background: ${name}`
      document.body.append(probe)
      const { backgroundColor } = getComputedStyle(probe)
      probe.remove()
      return backgroundColor
    }, colour)
  const style = (locator: Locator, property: string): Promise<string> =>
    locator.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
  const active = field.locator('[aria-selected=true]')
  expect(await style(active, 'background-color')).toBe(await system('Highlight'))
  expect(await style(active, 'color')).toBe(await system('HighlightText'))
  expect(await style(part(field, 'combo'), 'outline-style')).toBe('solid')
  expect(await style(part(field, 'listbox'), 'border-top-width')).toBe('1px')
  await page.keyboard.press('Escape')
  await field.evaluate((element) => {
    element.setAttribute('invalid', '')
    ;(element as HTMLElement).blur()
  })
  expect(await style(part(field, 'combo'), 'outline-width')).toBe('2px')
  // Invalid, and invalid with the focus, look different.
  expect(await style(part(field, 'combo'), 'outline-style')).toBe('dashed')
  await field.evaluate((element) => (element as HTMLElement).focus())
  expect(await style(part(field, 'combo'), 'outline-style')).toBe('solid')
  expect(await style(part(field, 'combo'), 'border-top-style')).toBe('dashed')
})

test('nothing is animated with reduced motion', async ({ lookup }) => {
  const { page } = lookup
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const field = await lookup.show(edit())
  await input(field).click()
  await page.keyboard.press('ArrowDown')
  const moving = await field.evaluate(
    (element) =>
      [...element.shadowRoot!.querySelectorAll('*')].filter((each) => {
        const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(each)
        return transitionDuration !== '0s' || animationName !== 'none' || scrollBehavior === 'smooth'
      }).length,
  )
  expect(moving).toBe(0)
})

testInOwnPage.describe('by touch', () => {
  testInOwnPage.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } })

  testInOwnPage('it opens, scrolls and chooses, and every target is large enough', async ({ lookup }) => {
    const field = await lookup.show(edit('value="p1" display="Ada"'), 'many')
    await input(field).tap()
    await expectOpen(field)
    const height = async (name: string): Promise<number> => (await boxOf(part(field, name).first())).height
    expect(await height('option')).toBeGreaterThanOrEqual(44)
    expect(await height('combo')).toBeGreaterThanOrEqual(44)
    expect(await height('clear')).toBeGreaterThanOrEqual(40)
    await input(field).fill('zzz')
    expect((await boxOf(field.locator('.line'))).height).toBeGreaterThanOrEqual(44)
    await input(field).fill('')
    await expect(part(field, 'option').first()).toHaveText('Row 0')
    await part(field, 'listbox').evaluate((list) => (list.scrollTop = 44 * 100))
    await part(field, 'option').getByText('Row 103', { exact: true }).tap()
    await expectClosed(field)
    await expect(input(field)).toBeFocused()
    expect(await lookup.events()).toEqual([['svc-lookup-change', { value: 'k103', label: 'Row 103' }]])
    await part(field, 'clear').tap()
    expect([await isOpen(field), await lookup.events()]).toEqual([false, [['svc-lookup-clear', null]]])
  })
})

test('an active row stays in the document however far the list is scrolled, and in its place', async ({
  lookup,
}) => {
  const { page } = lookup
  const field = await lookup.show(edit(), 'many')
  await input(field).click()
  for (let at = 0; at < 3; at += 1) await page.keyboard.press('ArrowDown')
  const list = part(field, 'listbox')
  const places = (): Promise<number[]> =>
    list.evaluate((box) =>
      [...box.querySelectorAll('[role=option]')].map((each) => Number(each.getAttribute('aria-posinset'))),
    )
  for (const to of [0.5, 1, 0.2]) {
    await list.evaluate((box, part) => (box.scrollTop = box.scrollHeight * part), to)
    await page.waitForTimeout(50)
    const active = await input(field).getAttribute('aria-activedescendant')
    await expect(field.locator(`#${active}`)).toHaveText('Row 2')
    expect(await places()).toEqual((await places()).toSorted((a, b) => a - b))
    expect((await places()).length).toBeLessThanOrEqual(30)
  }
  await page.keyboard.press('ArrowDown')
  await expect(field.locator('[aria-selected=true]')).toHaveText('Row 3')
  await expect(field.locator('[aria-selected=true]')).toBeInViewport({ ratio: 1 })
})

test('the count is announced politely, once the typing pauses; on Apple’s systems the active row too', async ({
  lookup,
}) => {
  const { page } = lookup
  const field = await lookup.show(edit(), 'many')
  const liveRegion = field.locator('[aria-live=polite]')
  await input(field).click()
  await expect(liveRegion).toHaveText('1000 results')
  await page.keyboard.type('999')
  await expect(liveRegion).toHaveText('1 result')
  await page.keyboard.type('zz')
  await expect(liveRegion).toHaveText('No matches for “999zz”')
  await page.keyboard.press('Escape')
  await expect(liveRegion).toHaveText('')
})

testInOwnPage('on Apple’s systems the active row is announced too', async ({ page, script }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' }))
  await page.route('http://apple.invalid/**', (route) =>
    route.fulfill(
      route.request().url().endsWith('.js')
        ? { contentType: 'text/javascript', body: script }
        : {
            contentType: 'text/html',
            body: '<!doctype html><script type="module" src="/i.js"></script><main></main>',
          },
    ),
  )
  await page.goto('http://apple.invalid/')
  await page.evaluate(() => {
    const field = document.createElement('svc-lookup-field')
    field.setAttribute('mode', 'edit')
    field.search = () => [{ value: '1', label: 'Ada', sublabel: 'analysis' }]
    document.querySelector('main')!.append(field)
  })
  await page.locator('[part=input]').click()
  await expect(page.locator('[aria-live]')).toHaveText('1 result')
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('[aria-live]')).toHaveText('Ada analysis')
})
