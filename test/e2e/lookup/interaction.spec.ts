// How the field is used, state by state, with the details that are easy to get wrong.
import type { Locator, Page } from '@playwright/test'
import { boxOf, expect, input, isOpen, part, people, test } from '../support/lookup-page.ts'

const options = (field: Locator): Locator => part(field, 'option')
const active = (field: Locator): Locator => field.locator('[role=option][aria-selected=true]')
const edit = (more = ''): string =>
  `<svc-lookup-field mode="edit" search-delay="0" ${more}></svc-lookup-field>`
const expectOpen = (field: Locator): Promise<void> => expect.poll(() => isOpen(field)).toBe(true)
const expectClosed = (field: Locator): Promise<void> => expect.poll(() => isOpen(field)).toBe(false)
const answer = (page: Page, at: number, labels: string[]): Promise<void> =>
  page.evaluate(([index, names]) => window.pending[index]!.resolve(names), [at, labels] as const)

test('focus opens the list, which shows that it searches', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit(), 'slow')
  await page.keyboard.press('Tab')
  await expectOpen(field)
  await expect(part(field, 'listbox').getByRole('option')).toHaveText(['Searching…'])
  await answer(page, 0, ['One', 'Two'])
  await expect(options(field)).toHaveText(['One', 'Two'])
  await expect(input(field)).toHaveAttribute('aria-expanded', 'true')
})

test('typing searches; an empty list shows that, as content of the list', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit())
  await page.keyboard.press('Tab')
  await page.keyboard.type('zzq')
  const line = part(field, 'listbox').getByRole('option')
  await expect(line).toHaveText('No matches for “zzq”')
  await expect(line).toHaveAttribute('aria-disabled', 'true')
})

for (const how of ['Enter', 'a click'])
  test(`${how} on an option chooses it: reflected, with an event, and the list stays closed`, async ({
    lookup,
  }) => {
    const { page } = lookup
    const field = await lookup.show(edit('label="Author"'))
    await page.keyboard.press('Tab')
    await page.keyboard.type('hopper')
    await expect(active(field)).toHaveText('Grace Hopper')
    if (how === 'Enter') await page.keyboard.press('Enter')
    else await options(field).first().click()
    await expectClosed(field)
    expect(await lookup.events()).toEqual([['svc-lookup-change', { value: 'p3', label: 'Grace Hopper' }]])
    await expect(input(field)).toHaveValue('Grace Hopper')
    await expect(input(field)).toBeFocused()
    await expect(field).toHaveAttribute('value', 'p3')
    await lookup.queries()
    await page.waitForTimeout(50)
    expect([await isOpen(field), await lookup.queries()]).toEqual([false, []])
  })

test('events leave the shadow root and bubble', async ({ lookup }) => {
  const { page } = lookup
  await page.evaluate(() => {
    const host = document.createElement('div')
    const field = Object.assign(document.createElement('svc-lookup-field'), {
      search: window.sources['people']!,
    })
    field.setAttribute('mode', 'edit')
    host.attachShadow({ mode: 'open' }).append(field)
    document.querySelector('main')!.append(host)
  })
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect(await lookup.events()).toEqual([['svc-lookup-change', { value: 'p1', label: 'Ada Lovelace' }]])
})

test('choosing the selected record again is a choice', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(
    '<svc-lookup-field mode="edit" label="Who" search-delay="0" value="p1" display="Ada Lovelace"></svc-lookup-field>',
  )
  await input(field).fill('ada')
  await expect(part(field, 'option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(input(field)).toHaveValue('Ada Lovelace')
  expect(await lookup.events()).toEqual([['svc-lookup-change', { value: 'p1', label: 'Ada Lovelace' }]])
})

test('Escape closes first, then restores the name, then belongs to the page', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit('value="p1" display="Ada Lovelace"'))
  await page.keyboard.press('Tab')
  await page.keyboard.type('tur')
  await expectOpen(field)
  await page.evaluate(() => {
    addEventListener('keydown', ({ key }) => key === 'Escape' && window.fired.push(['Escape', null]))
  })
  await page.keyboard.press('Escape')
  await expectClosed(field)
  await expect(input(field)).toHaveValue('tur')
  await page.keyboard.press('Escape')
  await expect(input(field)).toHaveValue('Ada Lovelace')
  expect(await lookup.events()).toEqual([])
  await page.keyboard.press('Escape')
  expect(await lookup.events()).toEqual([['Escape', null]])
})

test('what was typed and not chosen is replaced by the name when the focus leaves', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(`${edit('value="p1" display="Ada Lovelace"')}<button>Next</button>`)
  await page.keyboard.press('Tab')
  await page.keyboard.type('tur')
  await expectOpen(field)
  await page.keyboard.press('Tab')
  await expectClosed(field)
  await expect(page.getByRole('button', { name: 'Next' })).toBeFocused()
  await expect(input(field)).toHaveValue('Ada Lovelace')
  expect(await lookup.events()).toEqual([])
})

test('focus that leaves a surrounding shadow root closes it too', async ({ lookup }) => {
  const { page } = lookup
  await lookup.show('<div></div><button>Next</button>')
  await page.evaluate(() => {
    const root = document.querySelector('main > div')!.attachShadow({ mode: 'open' })
    const field = Object.assign(document.createElement('svc-lookup-field'), {
      search: window.sources['people']!,
    })
    field.setAttribute('mode', 'edit')
    root.append(field)
  })
  const field = page.locator('svc-lookup-field')
  await input(field).click()
  await expectOpen(field)
  await page.getByRole('button', { name: 'Next' }).focus()
  await expectClosed(field)
})

test('switching to another window closes the list, and keeps what was typed', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit())
  await page.keyboard.press('Tab')
  await page.keyboard.type('tur')
  await expectOpen(field)
  await page.evaluate(() => {
    document.hasFocus = () => false
    const inner = document.querySelector('svc-lookup-field')!.shadowRoot!.querySelector('input')!
    inner.dispatchEvent(new FocusEvent('focusout', { bubbles: true, composed: true, relatedTarget: null }))
  })
  await expectClosed(field)
  await expect(input(field)).toHaveValue('tur')
})

test('clear empties it, returns to the input, sends an event, and stays closed until something is typed', async ({
  lookup,
}) => {
  const { page } = lookup
  const field = await lookup.show(edit('label="Author" value="p1" display="Ada" href="/p1"'))
  await field.getByRole('button', { name: 'Clear Author' }).click()
  await expect(input(field)).toBeFocused()
  await expect(input(field)).toHaveValue('')
  for (const name of ['value', 'display', 'href']) await expect(field).not.toHaveAttribute(name)
  expect(await lookup.events()).toEqual([['svc-lookup-clear', null]])
  await page.waitForTimeout(50)
  expect([await isOpen(field), await lookup.queries()]).toEqual([false, []])
  await expect(part(field, 'clear')).toBeHidden()
  await page.keyboard.type('a')
  await expectOpen(field)
})

test('hovering over options draws nothing again', async ({ lookup }) => {
  const field = await lookup.show(edit())
  await input(field).click()
  await expect(options(field)).toHaveCount(people.length)
  const changes = await field.evaluateHandle((element) => {
    const seen: string[] = []
    const list = element.shadowRoot!.querySelector('[part=listbox]')!
    new MutationObserver((records) => seen.push(...records.map(({ type }) => type))).observe(list, {
      subtree: true,
      childList: true,
      attributes: true,
    })
    return seen
  })
  for (const at of [1, 3, 2, 4]) await options(field).nth(at).hover()
  expect(await changes.jsonValue()).toEqual([])
  await expect(active(field)).toHaveCount(0)
})

test('focus() on an existing query searches it again', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit())
  await page.keyboard.press('Tab')
  await page.keyboard.type('tur')
  await expectOpen(field)
  await page.keyboard.press('Escape')
  await expectClosed(field)
  await lookup.queries()
  await field.evaluate((element) => element.focus({ preventScroll: true }))
  await expectOpen(field)
  expect(await lookup.queries()).toEqual(['tur'])
})

test('the arrows wrap, the page keys move far, Alt opens and closes, Home and End belong to the text', async ({
  lookup,
}) => {
  const { page } = lookup
  const field = await lookup.show(edit(), 'many')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await expect(active(field)).toHaveText('Row 0')
  await page.keyboard.press('ArrowUp')
  await expect(active(field)).toHaveText('Row 999')
  await expect(active(field)).toHaveAttribute('aria-posinset', '1000')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('PageDown')
  await expect(active(field)).toHaveText(/^Row \d\d?$/)
  await expect(input(field)).toHaveAttribute('aria-activedescendant', /-\d+$/)
  await page.keyboard.press('Alt+ArrowUp')
  await expectClosed(field)
  await expect(input(field)).not.toHaveAttribute('aria-activedescendant')
  await page.keyboard.press('Alt+ArrowDown')
  await expectOpen(field)
  await expect(active(field)).toHaveCount(0)
  await page.keyboard.type('7')
  await page.keyboard.press('Home')
  await page.keyboard.type('row ')
  await expect(input(field)).toHaveValue('row 7')
})

test('about thirty of a thousand rows are in the document, with their positions', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit(), 'many')
  await page.keyboard.press('Tab')
  expect(await options(field).count()).toBeLessThanOrEqual(30)
  await expect(options(field).first()).toHaveAttribute('aria-setsize', '1000')
  await part(field, 'listbox').evaluate((list) => (list.scrollTop = list.scrollHeight / 2))
  await expect(options(field).getByText('Row 500', { exact: true })).toBeVisible()
  expect(await options(field).count()).toBeLessThanOrEqual(30)
  await options(field).getByText('Row 500', { exact: true }).click()
  expect(await lookup.events()).toEqual([['svc-lookup-change', { value: 'k500', label: 'Row 500' }]])
})

test('more than thirty rows are drawn in part, each with its position; keys and the wheel reach all of them', async ({
  lookup,
}) => {
  const { page } = lookup
  const field = await lookup.show(edit('display-fields="note"'), 'none')
  await page.evaluate(() => {
    document.querySelector('svc-lookup-field')!.search = (query) =>
      Array.from({ length: 31 }, (_, at) => ({
        value: `${at}`,
        label: `${query}${at}`,
        fields: { note: at === 20 ? 'a note' : '' },
      }))
  })
  await input(field).click()
  expect(await options(field).count()).toBeLessThan(31)
  await expect(options(field).first()).toHaveAttribute('aria-setsize', '31')
  const heights = new Set<number>()
  for (let at = 0; at < 31; at += 1) {
    await page.keyboard.press('ArrowDown')
    await expect(active(field)).toHaveAttribute('aria-posinset', `${at + 1}`)
    await expect(input(field)).toHaveAttribute(
      'aria-activedescendant',
      (await active(field).getAttribute('id'))!,
    )
    await expect(active(field)).toBeInViewport({ ratio: 1 })
    heights.add((await boxOf(active(field))).height)
  }
  expect([...heights]).toEqual([43])
  await page.keyboard.press('PageUp')
  await page.keyboard.press('PageUp')
  await page.keyboard.press('PageUp')
  await expect(active(field)).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('PageDown')
  await expect(active(field)).toBeInViewport({ ratio: 1 })
  await part(field, 'listbox').hover()
  await page.mouse.wheel(0, 4000)
  await expect(options(field).last()).toHaveAttribute('aria-posinset', '31')
  await expect(options(field).last()).toBeInViewport({ ratio: 1 })
  // A new query starts at the top.
  await page.keyboard.type('x')
  await expect(active(field)).toHaveText('x0')
  await expect(active(field)).toBeInViewport({ ratio: 1 })
})

test('typing in an open list does not measure the page', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit(), 'many')
  await input(field).click()
  await page.keyboard.type('1')
  await expect(active(field)).toHaveText('Row 1')
  const measured = await field.evaluate((element) => {
    const names: string[] = []
    const noted = (prototype: object, name: string): void => {
      const { get, value, ...rest } = Object.getOwnPropertyDescriptor(prototype, name)!
      const note = function (this: unknown, ...given: unknown[]): unknown {
        names.push(name)
        return ((get ?? value) as (...all: unknown[]) => unknown).apply(this, given)
      }
      Object.defineProperty(
        prototype,
        name,
        get === undefined ? { ...rest, value: note } : { ...rest, get: note },
      )
    }
    for (const name of ['scrollTop', 'scrollHeight', 'clientHeight', 'getBoundingClientRect'])
      noted(Element.prototype, name)
    for (const name of ['offsetTop', 'offsetHeight']) noted(HTMLElement.prototype, name)
    const box = element.shadowRoot!.querySelector('input')!
    box.value = '12'
    box.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }))
    return [names, element.shadowRoot!.querySelector('[aria-selected=true]')!.textContent]
  })
  expect(measured).toEqual([[], 'Row 12'])
})

test('pages are loaded at the end of the list, and no row appears twice', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit(), 'paged')
  await page.keyboard.press('Tab')
  await expect(options(field).first()).toHaveAttribute('aria-setsize', '1000')
  await part(field, 'listbox').evaluate((list) => (list.scrollTop = list.scrollHeight))
  await expect(options(field).getByText('Row 30', { exact: true })).toBeVisible()
  // The list continues at its position, with only the visible rows.
  expect(await part(field, 'listbox').evaluate((list) => list.scrollTop)).toBeGreaterThan(400)
  expect(await options(field).count()).toBeLessThanOrEqual(30)
  expect(await page.evaluate(() => window.requests.map(({ cursor }) => cursor ?? null))).toEqual([null, 30])
})

test('a late response is never painted, and its request was cancelled', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit(), 'slow')
  await page.keyboard.press('Tab')
  await page.keyboard.type('a')
  await page.keyboard.type('b')
  await expect.poll(() => page.evaluate(() => window.pending.length)).toBe(3)
  expect(await page.evaluate(() => window.pending.map(({ signal }) => signal.aborted))).toEqual([
    true,
    true,
    false,
  ])
  await answer(page, 2, ['Right'])
  await answer(page, 1, ['Late'])
  await expect(options(field)).toHaveText(['Right'])
  // After the list was closed, only the user opens it.
  await page.keyboard.type('c')
  await expect.poll(() => page.evaluate(() => window.pending.length)).toBe(4)
  await page.keyboard.press('Escape')
  await answer(page, 3, ['Too late'])
  await page.waitForTimeout(30)
  expect(await isOpen(field)).toBe(false)
})

test('an error of a source is shown, and the search can be repeated', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit(), 'slow')
  await page.keyboard.press('Tab')
  await page.evaluate(() => window.pending[0]!.reject())
  await expect(active(field)).toHaveText('The search failed. Try again')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => window.pending.length)).toBe(2)
  await answer(page, 1, ['Well'])
  await expect(options(field)).toHaveText(['Well'])
  const other = await lookup.show(edit(), 'throwing')
  await input(other).click()
  await expect(active(other)).toHaveText('The search failed. Try again')
})

test('keys of an input method belong to it, and the search runs at its end', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit())
  await page.keyboard.press('Tab')
  await lookup.queries()
  const client = await page.context().newCDPSession(page)
  await client.send('Input.imeSetComposition', { text: 'えい', selectionStart: 2, selectionEnd: 2 })
  await input(field).evaluate((element) => {
    for (const key of ['ArrowDown', 'Enter', 'Escape'])
      element.dispatchEvent(
        new KeyboardEvent('keydown', { key, isComposing: true, bubbles: true, composed: true }),
      )
  })
  expect([await lookup.queries(), await isOpen(field), await lookup.events()]).toEqual([[], true, []])
  await client.send('Input.insertText', { text: '映画' })
  await expect.poll(() => lookup.queries()).toEqual(['映画'])
})

test('a list inside a container that clips and scrolls is completely visible, and follows its field', async ({
  lookup,
}) => {
  const { page } = lookup
  const field = await lookup.show(`<section>${edit('label="Author"')}<p></p></section>`)
  await page.evaluate(() => {
    Object.assign(document.querySelector('section')!.style, { height: '80px', overflow: 'auto' })
    document.querySelector('p')!.style.height = '900px'
  })
  await input(field).click()
  await expect(options(field).last()).toBeInViewport()
  await options(field).last().click({ trial: true })
  await page.evaluate(() => (document.querySelector('section')!.scrollTop = 10))
  const gap = async (): Promise<number> => {
    const [list, combo] = [await boxOf(part(field, 'listbox')), await boxOf(part(field, 'combo'))]
    return Math.round(list.y - combo.y - combo.height)
  }
  await expect.poll(gap).toBe(4)
})

test('recent and new records are options of the source', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit())
  await page.evaluate(() => {
    const field = document.querySelector('svc-lookup-field')!
    field.search = (query) =>
      query === ''
        ? [{ value: 'r', label: 'Rosa', group: 'Recent' }]
        : [{ value: '', label: `Create ${query}`, make: async () => ({ value: 'n1', label: query }) }]
  })
  await page.keyboard.press('Tab')
  await expect(options(field)).toHaveText('Rosa Recent')
  await page.keyboard.type('Zoe')
  await expect(options(field)).toHaveText('Create Zoe')
  // An option that creates a record needs an arrow key: Enter alone, however often, makes nothing.
  await expect(active(field)).toHaveCount(0)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  expect(await lookup.events()).toEqual([])
  await page.keyboard.press('ArrowDown')
  await expect(active(field)).toHaveText('Create Zoe')
  await page.keyboard.press('Enter')
  await expect.poll(() => lookup.events()).toEqual([['svc-lookup-change', { value: 'n1', label: 'Zoe' }]])
})

test('rows that are not records, duplicates and markup are harmless', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit())
  await page.evaluate(() => {
    document.querySelector('svc-lookup-field')!.search = () =>
      [
        { value: '1', label: '<img src=x onerror=alert(1)>' },
        { value: '1', label: 'Again' },
        { label: 'No id' },
        { value: '2' },
        null,
      ] as never
  })
  await page.keyboard.press('Tab')
  await expect(options(field)).toHaveText(['<img src=x onerror=alert(1)>', '2'])
})

test('moved while open, it closes and works; removed, it ignores responses', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(`${edit()}<section></section>`, 'slow')
  await input(field).click()
  await expectOpen(field)
  await page.evaluate(() =>
    document.querySelector('section')!.append(document.querySelector('svc-lookup-field')!),
  )
  await expectClosed(field)
  await input(field).click()
  await answer(page, 1, ['There'])
  await expect(options(field)).toHaveText(['There'])
  const state = await page.evaluate(async () => {
    const element = document.querySelector('svc-lookup-field')!
    element.search = (query, request) => window.sources['slow']!(query, request)
    element.remove()
    window.pending.at(-1)!.resolve(['Nowhere'])
    await new Promise((resolve) => setTimeout(resolve, 20))
    return [element.open, window.pending.at(-1)!.signal.aborted]
  })
  expect(state).toEqual([false, true])
})

test('upgraded late, it uses what was set before', async ({ lookup }) => {
  const { page } = lookup
  await lookup.show('<p></p>')
  const shown = await page.evaluate(() => {
    const frame = document.implementation.createHTMLDocument()
    const late = frame.createElement('svc-lookup-field')
    Object.assign(late, { value: 'p1', display: 'Ada', search: window.sources['people'] })
    late.setAttribute('mode', 'edit')
    document.querySelector('main')!.append(late)
    return [Object.hasOwn(late, 'value'), late.getAttribute('value'), late.getAttribute('display')]
  })
  expect(shown).toEqual([false, 'p1', 'Ada'])
  await input(page.locator('svc-lookup-field')).click()
  await expect(options(page.locator('svc-lookup-field'))).toHaveCount(people.length)
})
