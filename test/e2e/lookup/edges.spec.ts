// Edge cases: keys next to the box, zoom, phones, other documents, counts.
import type { Locator, Page } from '@playwright/test'
import type * as Elements from '../../../elements/index.ts'
import {
  boxOf,
  expect,
  input,
  isOpen,
  part,
  test,
  testInOwnPage,
  watchSubmit,
} from '../support/lookup-page.ts'

const edit = (more = ''): string =>
  `<svc-lookup-field mode="edit" label="Who" search-delay="0" ${more}></svc-lookup-field>`
const expectOpen = (field: Locator): Promise<void> => expect.poll(() => isOpen(field)).toBe(true)
const expectClosed = (field: Locator): Promise<void> => expect.poll(() => isOpen(field)).toBe(false)
const liveRegion = (field: Locator): Locator => field.locator('[aria-live=polite]')
/** A custom source, written as a function in the page. */
const withSource = (
  page: Page,
  source: (query: string, request: { cursor?: unknown }) => unknown,
): Promise<void> => page.evaluate(`document.querySelector('svc-lookup-field').search = ${String(source)}`)

test('Escape on the clear control closes the list too, then restores the name', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit('value="p1" display="Ada"'))
  await input(field).fill('gra')
  await expectOpen(field)
  // As a screen reader does; Tab leaves the field.
  await part(field, 'clear').focus()
  await expect(part(field, 'clear')).toBeFocused()
  await page.keyboard.press('Escape')
  await expectClosed(field)
  await expect(input(field)).toHaveValue('gra')
  await page.keyboard.press('Escape')
  await expect(input(field)).toHaveValue('Ada')
  expect(await lookup.events()).toEqual([])
})

test('a list that scrolls is not a tab stop', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(`${edit()}<button>Next</button>`, 'many')
  await page.keyboard.press('Tab')
  await expectOpen(field)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Next' })).toBeFocused()
  await expectClosed(field)
})

test('a list that was closed far down opens at its beginning, complete at once', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit(), 'many')
  await input(field).click()
  await part(field, 'listbox').evaluate((list) => (list.scrollTop = 5000))
  await expect(part(field, 'option').getByText('Row 180', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.waitForTimeout(100)
  const first = await field.evaluate((element) => {
    const root = element.shadowRoot!
    const press = { key: 'ArrowDown', bubbles: true, composed: true }
    root.querySelector('input')!.dispatchEvent(new KeyboardEvent('keydown', press))
    const rows = [...root.querySelectorAll('[part=option]')]
    return [root.querySelector('[part=listbox]')!.scrollTop, rows[0]?.textContent, rows.length > 11]
  })
  expect(first).toEqual([0, 'Row 0', true])
})

test('in a zoomed page the list is below its field and has its width', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(`<section>${edit()}</section>`)
  await page.evaluate(() => {
    document.body.style.zoom = '1.5'
    Object.assign(document.querySelector('section')!.style, { zoom: '0.8', margin: '20px 90px' })
  })
  await input(field).click()
  const gap = async (): Promise<number[]> => {
    const [list, combo] = [await boxOf(part(field, 'listbox')), await boxOf(part(field, 'combo'))]
    return [list.x - combo.x, list.width - combo.width, list.y - combo.y - combo.height].map(Math.round)
  }
  await expect.poll(gap).toEqual([0, 0, 5])
})

testInOwnPage.describe('on Android', () => {
  testInOwnPage.use({
    userAgent:
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
  })
  testInOwnPage('each letter searches, although every word is composed', async ({ lookup }) => {
    const { page } = lookup
    const field = await lookup.show(edit())
    await page.keyboard.press('Tab')
    await lookup.queries()
    const client = await page.context().newCDPSession(page)
    await client.send('Input.imeSetComposition', { text: 'gr', selectionStart: 2, selectionEnd: 2 })
    await expect(part(field, 'option')).toHaveText(['Grace Hopper'])
    expect(await lookup.queries()).toEqual(['gr'])
  })
})

test('the count is not false if the source does not know it, or if a row only creates a record', async ({
  lookup,
}) => {
  const { page } = lookup
  const field = await lookup.show(edit(), 'none')
  await withSource(page, (query) => ({
    options: query === '' ? [1, 2, 3].map((at) => ({ value: `${at}`, label: `Row ${at}` })) : [],
    next: 'more',
  }))
  await withSource(page, (query, { cursor }) =>
    query === ''
      ? {
          options: Array.from({ length: 40 }, (_, at) => ({
            value: `${String(cursor ?? 0)}${at}`,
            label: `Row ${at}`,
          })),
          next: 1,
        }
      : [{ value: '', label: `Create ${query}`, make: () => ({ value: 'n', label: query }) }],
  )
  await input(field).click()
  await expect(liveRegion(field)).toHaveText('The first 40 results')
  await expect(part(field, 'option').first()).toHaveAttribute('aria-setsize', '-1')
  await page.keyboard.type('zoe')
  await expect(liveRegion(field)).toHaveText('No matches for “zoe”')
  await expect(part(field, 'option')).toHaveText(['Create zoe'])
})

test('a failed page of results is reported', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit(), 'none')
  await withSource(page, (_query, { cursor }) => {
    if (cursor !== undefined) throw new Error('no page')
    return { options: [{ value: '1', label: 'One' }], next: 1 }
  })
  await input(field).click()
  await expect(liveRegion(field)).toHaveText('The search failed. Try again')
})

test('a label of the page names the clear control and the list too', async ({ lookup }) => {
  const field = await lookup.show(
    '<label for="w">Writer</label><svc-lookup-field id="w" mode="edit" value="p1" display="Ada"></svc-lookup-field>',
  )
  await input(field).click()
  await expect(field.getByRole('button', { name: 'Clear Writer' })).toBeVisible()
  await expect(field.getByRole('listbox', { name: 'Writer' })).toBeVisible()
})

test('a page that changes its direction changes that of the field', async ({ lookup }) => {
  const { page } = lookup
  await lookup.show(`<section dir="rtl">${edit()}</section>`)
  const field = page.locator('svc-lookup-field')
  const side = async (): Promise<boolean> =>
    (await boxOf(part(field, 'icon'))).x > (await boxOf(input(field))).x
  expect(await side()).toBe(true)
  await page.evaluate(() => document.querySelector('section')!.removeAttribute('dir'))
  expect(await side()).toBe(false)
})

test('a browser without :dir() still draws it', async ({ lookup }) => {
  const { page } = lookup
  await page.evaluate(() => {
    const { matches } = Element.prototype
    Element.prototype.matches = function (this: Element, selector: string) {
      if (selector.includes(':dir')) throw new DOMException(`'${selector}' is not a valid selector`)
      return matches.call(this, selector)
    } as typeof matches
    const { supports } = CSS
    CSS.supports = (...given: string[]) =>
      !given.join().includes(':dir') && (supports as (...all: string[]) => boolean)(...given)
  })
  const field = await lookup.show(`<section dir="rtl">${edit()}</section>`)
  await input(field).fill('ada')
  await page.keyboard.press('ArrowDown')
  const active = field.locator('[aria-selected=true]')
  expect(await active.evaluate((each) => getComputedStyle(each).boxShadow)).toContain('-2px')
})

test('Enter that is held down chooses, and submits no form', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(`<form>${edit()}<button>Send</button></form>`)
  await watchSubmit(page)
  await input(field).fill('ada')
  await page.keyboard.down('Enter')
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  expect((await lookup.events()).map(([name]) => name)).toEqual(['svc-lookup-change'])
})

for (const [what, more, sends] of [
  ['alone', '', true],
  ['next to another text field', '<input name="other">', false],
  ['next to a hidden field and a checkbox', '<input type="hidden"><input type="checkbox">', true],
] as const)
  test(`Enter in a form without a button, ${what}: ${sends ? 'submits' : 'does not submit'}, as a text field does`, async ({
    lookup,
  }) => {
    const { page } = lookup
    const field = await lookup.show(`<form>${edit()}${more}</form>`)
    await watchSubmit(page)
    await input(field).click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    expect(await lookup.events()).toEqual(sends ? [['submit', null]] : [])
  })

test('a list whose field is scrolled out of view is hidden, and returns with it', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(`<section>${edit()}<p></p></section>`)
  await page.evaluate(() => {
    Object.assign(document.querySelector('section')!.style, { height: '80px', overflow: 'auto' })
    document.querySelector('p')!.style.height = '900px'
  })
  await input(field).click()
  await expect(part(field, 'option').first()).toBeVisible()
  await page.evaluate(() => (document.querySelector('section')!.scrollTop = 400))
  await expect(part(field, 'option').first()).toBeHidden()
  await page.evaluate(() => (document.querySelector('section')!.scrollTop = 0))
  await expect(part(field, 'option').first()).toBeVisible()
})

for (const dir of ['ltr', 'rtl'])
  test(`a list next to a narrow field is wide enough to be read, ${dir}`, async ({ lookup }) => {
    const { page } = lookup
    const field = await lookup.show(`<section dir="${dir}">${edit('inline')}</section>`)
    await field.evaluate((element) =>
      Object.assign((element as HTMLElement).style, { width: '70px', margin: '0 300px' }),
    )
    await input(field).click()
    const [list, combo] = [await boxOf(part(field, 'listbox')), await boxOf(part(field, 'combo'))]
    expect(list.width).toBe(240)
    expect(list.x).toBe(dir === 'ltr' ? combo.x : combo.x + combo.width - 240)
    // Never wider than the page.
    await page.setViewportSize({ width: 200, height: 500 })
    await expect.poll(async () => (await boxOf(part(field, 'listbox'))).width).toBe(200)
  })

test('larger text is not cut off, in a short list and in a long one', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit('display-fields="note" message="Help"'), 'none')
  await field.evaluate((element) => {
    const { style } = element as HTMLElement
    for (const name of ['--svc-text-row', '--svc-text-body']) style.setProperty(name, '26px')
  })
  for (const count of [3, 60]) {
    await page.evaluate((many) => {
      document.querySelector('svc-lookup-field')!.search = () =>
        Array.from({ length: many }, (_, at) => ({
          ...{ value: `${at}`, label: `Ångström ${at}`, fields: { note: 'gjpqy' } },
        }))
    }, count)
    await input(field).click()
    await expect(part(field, 'option').first()).toHaveAttribute('aria-setsize', String(count))
    const cut = await field.evaluate((element) =>
      [...element.shadowRoot!.querySelectorAll('[part=option], [part=input], [part=message]')]
        .filter(({ clientHeight, scrollHeight }) => clientHeight < scrollHeight || clientHeight < 28)
        .map((each) => each.getAttribute('part')),
    )
    expect(cut).toEqual([])
    const tops = await part(field, 'option').evaluateAll((all) =>
      all.map((each) => each.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]),
    )
    for (const [at, [, bottom]] of tops.slice(0, -1).entries())
      expect(bottom).toBeCloseTo(tops[at + 1]![0]!, 0)
  }
})

test('a press on the help below the field opens nothing', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit('message="Who wrote it."'))
  await part(field, 'message').click()
  await page.waitForTimeout(50)
  expect([await isOpen(field), await lookup.queries()]).toEqual([false, []])
})

test('a long caption is truncated, and its row is as high as the others', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit(), 'none')
  await withSource(page, () => [
    { value: '1', label: 'Ada Lovelace', group: 'A caption that is far too long '.repeat(9) },
    { value: '2', label: 'Alan' },
  ])
  await field.evaluate((element) => Object.assign((element as HTMLElement).style, { width: '260px' }))
  await input(field).click()
  const heights = await part(field, 'option').evaluateAll((all) => all.map((each) => each.clientHeight))
  expect(heights).toEqual([28, 28])
  expect((await boxOf(field.locator('.name').first())).width).toBeGreaterThan(60)
})

test('moved into another document, it is drawn as before', async ({ lookup }) => {
  const { page } = lookup
  await lookup.show(edit('value="p1" display="Ada"'))
  const drawn = await page.evaluate(() => {
    const frame = document.createElement('iframe')
    document.querySelector('main')!.append(frame)
    const field = document.querySelector('svc-lookup-field')!
    frame.contentDocument!.body.append(field)
    return getComputedStyle(field.shadowRoot!.querySelector('[part=combo]')!).display
  })
  expect(drawn).toBe('flex')
})

test('hidden while open, it closes', async ({ lookup }) => {
  const field = await lookup.show(edit())
  await input(field).click()
  await expectOpen(field)
  await field.evaluate((element) => element.setAttribute('hidden', ''))
  await expectClosed(field)
})

test('a name and a form of null or undefined are treated as absent', async ({ lookup }) => {
  const field = await lookup.show(edit())
  for (const none of [null, undefined]) {
    await field.evaluate((element, given) => {
      Object.assign(element, { name: 'who', form: 'f' })
      Object.assign(element, { name: given, form: given })
    }, none)
    await expect(field).not.toHaveAttribute('name')
    await expect(field).not.toHaveAttribute('form')
  }
})

test('a form that is set before the element is defined is used', async ({ lookup }) => {
  const { page } = lookup
  const known = await page.evaluate(() => {
    const field = document.createElement('svc-lookup-field')
    Object.defineProperty(field, 'form', { value: 'f', configurable: true, writable: true, enumerable: true })
    document.querySelector('main')!.append(field)
    return [field.getAttribute('form'), Object.hasOwn(field, 'form')]
  })
  expect(known).toEqual(['f', false])
})

test('words that are set later are used by existing fields', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit())
  await page.evaluate(async () => {
    const at = '/index.js'
    const { setLookupWords } = (await import(at)) as typeof Elements
    setLookupWords({ placeholder: 'Suche…' })
  })
  await expect(input(field)).toHaveAttribute('placeholder', 'Suche…')
})

for (const [attributes, name] of [
  ['placeholder="Find one" title="Titled" aria-label="Said"', 'Said'],
  ['placeholder="Find one" title="Titled"', 'Titled'],
  ['placeholder="Find one"', 'Find one'],
] as const)
  test(`without a label, ${attributes} names it ${name}`, async ({ lookup }) => {
    const field = await lookup.show(`<svc-lookup-field mode="edit" ${attributes}></svc-lookup-field>`)
    await expect(input(field)).toHaveAttribute('aria-label', name)
  })
