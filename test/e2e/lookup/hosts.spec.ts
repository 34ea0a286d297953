// What the page does in the meantime: it switches the mode, changes the record, names the field, moves it, and loads
// the package twice.
import type { Locator } from '@playwright/test'
import type * as Elements from '../../../elements/index.ts'
import { axTree } from '../support/ax-tree.ts'
import { boxOf, expect, input, isOpen, part, test } from '../support/lookup-page.ts'

const edit = (more = ''): string =>
  `<svc-lookup-field mode="edit" label="Who" search-delay="0" ${more}></svc-lookup-field>`
const expectOpen = (field: Locator): Promise<void> => expect.poll(() => isOpen(field)).toBe(true)

test('a page that switches it to read mode after a choice keeps the focus in it', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit())
  await field.evaluate((element) =>
    element.addEventListener('svc-lookup-change', () => element.setAttribute('mode', 'read')),
  )
  await input(field).fill('ada')
  await expectOpen(field)
  await page.keyboard.press('Enter')
  await expect(field.getByRole('link', { name: 'Ada Lovelace' })).toBeFocused()
  // And back, if the link has the focus.
  await field.evaluate((element) => element.setAttribute('mode', 'edit'))
  await expect(input(field)).toBeFocused()
  expect(await isOpen(field)).toBe(false)
})

test('an incomplete input is discarded when the page switches the mode and back', async ({ lookup }) => {
  const field = await lookup.show(edit('value="p1" display="Ada"'))
  await input(field).fill('gra')
  await field.evaluate((element) => element.setAttribute('mode', 'read'))
  await expect(part(field, 'link')).toHaveText('Ada')
  await expect(part(field, 'link')).toBeFocused()
  await field.evaluate((element) => element.setAttribute('mode', 'edit'))
  await expect(input(field)).toBeFocused()
  await expect(input(field)).toHaveValue('Ada')
})

test('a page that switches the mode of a field without focus does not move the focus', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit())
  for (const mode of ['read', 'edit']) {
    await field.evaluate((element, to) => element.setAttribute('mode', to), mode)
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('body')
  }
})

test('a page that changes the record while the list is open marks the other row', async ({ lookup }) => {
  const field = await lookup.show(edit('value="p1" display="Ada Lovelace"'), 'paged')
  await field.evaluate((element: Elements.SvcLookupField) => {
    element.search = window.sources['people']!
  })
  await input(field).click()
  await expectOpen(field)
  const current = field.locator('[aria-current]')
  await expect(current).toHaveText('Ada Lovelace')
  await field.evaluate((element: Elements.SvcLookupField) => (element.value = 'p3'))
  await expect(current).toHaveText('Grace Hopper')
  await field.evaluate((element: Elements.SvcLookupField) => (element.value = null))
  await expect(current).toHaveCount(0)
})

test('changed while a page of results is loading, that page is still shown', async ({ lookup }) => {
  const field = await lookup.show(edit('value="p1" display="Ada"'), 'slow')
  await field.evaluate((element: Elements.SvcLookupField) => {
    const pages = new Map([
      [undefined, { options: [{ value: 'p1', label: 'One' }], next: 2 }],
      [2, { options: [{ value: 'p2', label: 'Two' }] }],
    ])
    element.search = async (_query, { cursor }) => {
      if (cursor !== undefined) await new Promise((done) => element.addEventListener('go', done))
      return pages.get(cursor as number)!
    }
  })
  await input(field).click()
  await expect(field.locator('.foot')).toBeVisible()
  await field.evaluate((element: Elements.SvcLookupField) => {
    element.value = 'p2'
    element.dispatchEvent(new Event('go'))
  })
  await expect(part(field, 'option')).toHaveText(['One', 'Two'])
  await expect(field.locator('[aria-current]')).toHaveText('Two')
})

test('aria-labelledby names it by texts of the page', async ({ lookup }) => {
  const field = await lookup.show(
    `<h2 id="who">Author</h2><p id="of">of the paper</p>
    <svc-lookup-field mode="edit" aria-labelledby="who of gone"></svc-lookup-field>`,
  )
  await expect(input(field)).toHaveAccessibleName('Author of the paper')
})

test('labels of the page name it whenever they are added, with their current text', async ({ lookup }) => {
  const { page } = lookup
  const box = async (): Promise<string> => (await axTree(page)).find((each) => each.startsWith('combobox'))!
  await page.evaluate(() => {
    const field = document.createElement('svc-lookup-field')
    field.setAttribute('mode', 'edit')
    field.id = 'f'
    const label = Object.assign(document.createElement('label'), { htmlFor: 'f', textContent: 'Author' })
    document.querySelector('main')!.append(field)
    document.querySelector('main')!.append(label)
  })
  await expect.poll(box).toContain('"Author"')
  await page.locator('main > label').evaluate((label) => (label.textContent = 'Writer'))
  await expect.poll(box).toContain('"Writer"')
  await lookup.show('<svc-lookup-field mode="edit" aria-label="Said"></svc-lookup-field>')
  await expect.poll(box).toContain('"Said"')
  await page.locator('svc-lookup-field').evaluate((field) => field.setAttribute('aria-label', 'Named'))
  await expect.poll(box).toContain('"Named"')
  // A label around it names it by its own words, not by the content of the field.
  await lookup.show(
    '<label>Around<svc-lookup-field mode="edit" value="p1" display="Ada"></svc-lookup-field></label>',
  )
  await expect.poll(box).toContain('"Around"')
})

test('aria-describedby describes it by texts of the page, in addition to its own message', async ({
  lookup,
}) => {
  const { page } = lookup
  await lookup.show(
    `<p id="help">As printed.</p>
    <svc-lookup-field mode="edit" aria-describedby="help" message="Required."></svc-lookup-field>`,
  )
  const box = (): Promise<string> => axTree(page).then((tree) => tree.find((each) => /^combobox/.test(each))!)
  expect(await box()).toContain('described="As printed. Required."')
  await page.locator('svc-lookup-field').evaluate((field) => field.removeAttribute('aria-describedby'))
  expect(await box()).toContain('described="Required."')
})

test('inside a label, a press on an option closes the list', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(`<label>Author ${edit()}</label>`)
  await input(field).click()
  await part(field, 'option').getByText('Grace Hopper').click()
  await expect(input(field)).toHaveValue('Grace Hopper')
  await page.waitForTimeout(100)
  expect(await isOpen(field)).toBe(false)
  await expect(input(field)).toBeFocused()
})

test('the list follows its field when the page moves it, without an error in the page', async ({
  lookup,
}) => {
  const { page } = lookup
  const field = await lookup.show(`<section>${edit()}</section>`)
  await page.evaluate(() => {
    addEventListener('error', ({ message }) => window.fired.push(['error', message]))
    document.querySelector('section')!.style.width = '400px'
  })
  await input(field).click()
  await expectOpen(field)
  const gap = async (): Promise<number[]> => {
    const [box, list] = [await boxOf(part(field, 'combo')), await boxOf(part(field, 'listbox'))]
    return [list.y - box.y - box.height, list.x - box.x, list.width - box.width]
  }
  expect(await gap()).toEqual([4, 0, 0])
  await page.evaluate(() => {
    const paragraph = document.createElement('p')
    paragraph.style.height = '150px'
    document.querySelector('main')!.prepend(paragraph)
  })
  await expect.poll(gap).toEqual([4, 0, 0])
  await page.locator('section').evaluate((section) => {
    section.style.transition = 'width .2s'
    section.style.width = '600px'
  })
  await expect.poll(async () => (await boxOf(part(field, 'combo'))).width).toBe(600)
  await expect.poll(gap).toEqual([4, 0, 0])
  expect(await lookup.events()).toEqual([])
})

test('setting the same source again searches nothing again', async ({ lookup }) => {
  const field = await lookup.show(edit())
  await input(field).click()
  await expectOpen(field)
  await lookup.queries()
  await field.evaluate((element) => Object.assign(element, { search: window.sources['people'] }).id)
  expect(await lookup.queries()).toEqual([])
})

test('with much space around its rows, the active one is completely visible', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit(), 'many')
  await field.evaluate((element) => element.style.setProperty('--svc-space-1', '24px'))
  await input(field).click()
  await expectOpen(field)
  for (let presses = 0; presses < 14; presses += 1) await page.keyboard.press('ArrowDown')
  const [list, row] = await Promise.all([
    boxOf(part(field, 'listbox')),
    boxOf(field.locator('[aria-selected=true]')),
  ])
  expect(row.y + row.height).toBeLessThanOrEqual(list.y + list.height)
})

test('moved into a small frame, its list opens in that frame', async ({ lookup }) => {
  const { page } = lookup
  await lookup.show(edit())
  const at = await page.evaluate(async () => {
    const frame = document.createElement('iframe')
    Object.assign(frame.style, { width: '300px', height: '240px', position: 'fixed', top: '100px' })
    document.querySelector('main')!.append(frame)
    const [page, field] = [frame.contentDocument!, document.querySelector('svc-lookup-field')!]
    page.body.style.paddingTop = '180px'
    page.body.append(field)
    field.focus()
    field.search = () => [{ value: '1', label: 'One' }]
    await new Promise((done) => setTimeout(done, 100))
    const { top, bottom } = field.shadowRoot!.querySelector('[part=listbox]')!.getBoundingClientRect()
    return { top: Math.round(top), bottom: Math.round(bottom), open: field.open }
  })
  expect(at.open).toBe(true)
  expect(at.top).toBeGreaterThanOrEqual(0)
  expect(at.bottom).toBeLessThanOrEqual(240)
})

test('a page that loads the package twice has one element, and its words from either', async ({ lookup }) => {
  const field = await lookup.show(edit())
  const later = await lookup.page.evaluate(async () => {
    const [first, second] = ['/index.js', '/index.js?again']
    const [one, other] = [
      (await import(first!)) as typeof Elements,
      (await import(second!)) as typeof Elements,
    ]
    other.setLookupWords({ placeholder: 'Suche…' })
    return one === other
  })
  expect(later).toBe(false)
  await expect(input(field)).toHaveAttribute('placeholder', 'Suche…')
})

test("a URL with a custom scheme, next to an application's page, is a link", async ({ page, script }) => {
  await page.goto('file:///')
  await page.addScriptTag({ type: 'module', content: script })
  // A module within the page runs after its element was added.
  await page.evaluate(async () => void (await customElements.whenDefined('svc-lookup-field')))
  const links = await page.evaluate(() =>
    ['people/1.html', 'https://example.org/', 'javascript:1', 'data:text/html,1'].map((href) => {
      const field = document.createElement('svc-lookup-field')
      field.setAttribute('value', '1')
      field.setAttribute('href', href)
      document.body.append(field)
      return field.shadowRoot!.querySelector('[part=link]')!.localName
    }),
  )
  expect(links).toEqual(['a', 'a', 'button', 'button'])
})

test('link and trigger swap places and keep the focus', async ({ lookup }) => {
  const { page } = lookup
  const one = await lookup.show(
    '<svc-lookup-field label="Who" value="p1" display="Ada" href="/ada"></svc-lookup-field>',
  )
  await page.keyboard.press('Tab')
  await expect(one.getByRole('link', { name: 'Ada' })).toBeFocused()
  await one.evaluate((element) => element.removeAttribute('href'))
  await expect(one.getByRole('button', { name: 'Ada' })).toBeFocused()
  await expect(part(one, 'link')).toHaveCount(1)
  await one.evaluate((element) => element.setAttribute('href', '/ada'))
  await expect(one.getByRole('link', { name: 'Ada' })).toBeFocused()
  // And if a choice sets a URL.
  await one.evaluate((element) => element.removeAttribute('href'))
  await page.keyboard.press('Enter')
  await page.keyboard.type('gra')
  await expect(one.locator('[aria-selected=true]')).toHaveText('Grace Hopper')
  await page.keyboard.press('Enter')
  await expect(one.getByRole('link', { name: 'Grace Hopper' })).toBeFocused()
})

test('a trigger that was pressed, and then switched to edit and back by the page, is drawn again', async ({
  lookup,
}) => {
  const { page } = lookup
  const one = await lookup.show('<svc-lookup-field label="Who" value="p1" display="Ada"></svc-lookup-field>')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expectOpen(one)
  for (const mode of ['edit', 'read'])
    await one.evaluate((element, to) => element.setAttribute('mode', to), mode)
  await expect(part(one, 'link')).toBeVisible()
  await expect(part(one, 'combo')).toBeHidden()
})
