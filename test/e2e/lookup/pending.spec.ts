// What is still under way when something else happens, and what holds no longer afterwards (specification 2.9, 3.4, 6.3).
import type { Locator, Page } from '@playwright/test'
import { expect, input, isOpen, part, setOn, test, watchSubmit } from '../support/lookup-page.ts'

const field = (more = ''): string => `<svc-lookup-field mode="edit" label="Who" ${more}></svc-lookup-field>`
const options = (of: Locator): Locator => part(of, 'option')

for (const how of ['Up Arrow', 'scrolling'])
  test(`a page of what was typed before, come upon by ${how}, does not call off what is typed now`, async ({
    lookup,
  }) => {
    const { page } = lookup
    const one = await lookup.show(field('search-delay="300"'), 'paged')
    await input(one).click()
    await expect(options(one).first()).toHaveText('Row 0')
    await lookup.asked()
    await page.keyboard.type('777')
    if (how === 'Up Arrow') await page.keyboard.press('ArrowUp')
    else await part(one, 'listbox').evaluate((list) => (list.scrollTop = list.scrollHeight))
    await expect(options(one)).toHaveText(['Row 777'])
    expect(await lookup.asked()).toEqual(['777'])
  })

test('Enter before what was typed is answered asks at once, and chooses nothing of the list before', async ({
  lookup,
}) => {
  const { page } = lookup
  const one = await lookup.show(field('search-delay="60000"'))
  await input(one).click()
  await page.keyboard.type('gra')
  await page.keyboard.press('Enter')
  await expect(options(one)).toHaveText(['Grace Hopper'])
  expect(await lookup.events()).toEqual([])
  await page.keyboard.press('Enter')
  expect(await lookup.events()).toEqual([['svc-lookup-change', { value: 'p3', label: 'Grace Hopper' }]])
})

test('a row that an arrow went to is what Enter chooses, even before what was typed is searched', async ({
  lookup,
}) => {
  const { page } = lookup
  const one = await lookup.show(field('search-delay="60000"'))
  await input(one).click()
  await page.keyboard.type('gra')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect(await lookup.events()).toEqual([['svc-lookup-change', { value: 'p2', label: 'Alan Turing' }]])
  await expect(input(one)).toHaveValue('Alan Turing')
})

test('in an empty box nothing is active, not even what makes a record', async ({ lookup }) => {
  const { page } = lookup
  const one = await lookup.show(field(), 'none')
  await one.evaluate((element) => {
    const make = (): never => {
      throw new Error('made')
    }
    Object.assign(element, { search: () => [{ value: '', label: 'Create new', make }] })
  })
  await page.keyboard.press('Tab')
  await expect(options(one)).toHaveText(['Create new'])
  await expect(one.locator('[aria-selected=true]')).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(one.getByText('failed')).toHaveCount(0)
})

for (const [what, end] of [
  ['Escape', (page: Page) => page.keyboard.press('Escape')],
  ['a reset', (page: Page) => page.evaluate(() => document.querySelector('form')!.reset())],
] as const)
  test(`${what} calls off a search that waits while the list is closed`, async ({ lookup }) => {
    const { page } = lookup
    const one = await lookup.show(`<form>${field('search-delay="800" value="p1" display="Ada"')}</form>`)
    await watchSubmit(page)
    await input(one).click()
    await page.keyboard.press('Escape')
    await lookup.asked()
    await page.keyboard.type('gr')
    await end(page)
    await page.waitForTimeout(1100)
    expect([await isOpen(one), await lookup.asked()]).toEqual([false, []])
  })

for (const mode of ['edit', 'read'])
  test(`a reset closes the list of ${mode} mode, and leaves nothing to choose from`, async ({ lookup }) => {
    const { page } = lookup
    const one = await lookup.show(
      `<form><svc-lookup-field mode="${mode}" value="p1" display="Ada" search-delay="0"></svc-lookup-field></form>`,
    )
    await watchSubmit(page)
    await (mode === 'read' ? part(one, 'link') : input(one)).click()
    await page.keyboard.type('gra')
    await expect(options(one)).toHaveText(['Grace Hopper'])
    await page.evaluate(() => document.querySelector('form')!.reset())
    expect(await isOpen(one)).toBe(false)
    await expect(input(one)).toHaveValue('Ada')
    await expect(input(one)).not.toHaveAttribute('aria-activedescendant')
    await page.keyboard.press('Enter')
    await expect(one).toHaveAttribute('value', 'p1')
    // Where read mode was left for the list, Enter goes back to it.
    expect(await lookup.events()).toEqual(mode === 'edit' ? [['submit', null]] : [])
  })

test.describe('a value that the page sets', () => {
  /** Grace is chosen, then the page writes. */
  const chosen = async (lookup: { page: Page; show(markup: string): Promise<Locator> }): Promise<Locator> => {
    const one = await lookup.show(field('search-delay="0"'))
    await input(one).fill('gra')
    await lookup.page.keyboard.press('Enter')
    await expect(input(one)).toHaveValue('Grace Hopper')
    await expect(one).toHaveAttribute('href', '/people/p3')
    return one
  }
  const names = (one: Locator): Promise<unknown> =>
    one.evaluate((element) => [
      element.getAttribute('display'),
      element.getAttribute('href'),
      element.shadowRoot!.querySelector('input')!.value,
    ])

  for (const [how, value, shown] of [
    ['to another id', 'p1', 'p1'],
    ['to another id, as an attribute', 'p1', 'p1'],
    ['to none', null, ''],
    ['to nothing', '', ''],
  ] as const)
    test(`${how} is not shown under the name that was chosen before`, async ({ lookup }) => {
      const one = await chosen(lookup)
      if (how.endsWith('attribute')) await one.evaluate((element) => element.setAttribute('value', 'p1'))
      else await setOn(one, { value })
      expect(await names(one)).toEqual([null, null, shown])
      await one.evaluate((element) => element.setAttribute('mode', 'read'))
      await expect(part(one, 'link')).not.toHaveAttribute('href')
    })

  test('as the event told it keeps its name', async ({ lookup }) => {
    const one = await chosen(lookup)
    await one.evaluate((element) => Object.assign(element, { value: 'p3' }))
    expect(await names(one)).toEqual(['Grace Hopper', '/people/p3', 'Grace Hopper'])
  })

  test('keeps a name and an address that the page gave', async ({ lookup }) => {
    const one = await chosen(lookup)
    await one.evaluate((element) => {
      element.setAttribute('href', '/k')
      Object.assign(element, { display: 'Katherine', value: 'p4' })
    })
    expect(await names(one)).toEqual(['Katherine', '/k', 'Katherine'])
  })
})

for (const [what, meanwhile] of [
  [
    'source',
    (one: Element): void => void Object.assign(one, { search: () => [{ value: 'new', label: 'New' }] }),
  ],
  ['mode', (one: Element) => one.setAttribute('mode', 'read')],
  ['least number of characters', (one: Element) => one.setAttribute('min-chars', '5')],
] as const)
  test(`a ${what} that the page sets while a search waits holds for that search`, async ({ lookup }) => {
    const { page } = lookup
    const one = await lookup.show(field('search-delay="800" value="p1" display="Ada"'))
    await input(one).click()
    await page.keyboard.press('Escape')
    await page.keyboard.type('gra')
    await lookup.asked()
    await one.evaluate(meanwhile)
    await page.waitForTimeout(1100)
    expect(await lookup.asked()).toEqual([])
    if (what === 'source') await expect(options(one)).toHaveText(['New'])
    else await expect(options(one)).toHaveCount(0)
    expect(await isOpen(one)).toBe(what !== 'mode')
  })

test('other display fields while a search waits over an open list: it is asked with them', async ({
  lookup,
}) => {
  const { page } = lookup
  const one = await lookup.show(field())
  await input(one).click()
  await page.keyboard.type('gra')
  await one.evaluate((element) => element.setAttribute('display-fields', 'born'))
  await expect(options(one)).toHaveText(['Grace Hopper 1817'])
})

test('Enter after typing in a closed list asks, and sends no form with the record before', async ({
  lookup,
}) => {
  const { page } = lookup
  const one = await lookup.show(`<form>${field('value="p1" display="Ada"')}</form>`)
  await watchSubmit(page)
  await input(one).click()
  for (const wait of [0, 400]) {
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('gr')
    if (wait > 0) {
      await expect(options(one)).toHaveText(['Grace Hopper'])
      await page.keyboard.press('Escape')
      expect(await isOpen(one)).toBe(false)
    }
    await page.keyboard.press('Enter')
    await expect(options(one)).toHaveText(['Grace Hopper'])
    expect(await lookup.events()).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(input(one)).toHaveValue('Ada')
  }
})

test('what was active is active no more once something is typed', async ({ lookup }) => {
  const { page } = lookup
  const one = await lookup.show(field('search-delay="60000"'))
  await input(one).click()
  await page.keyboard.press('ArrowDown')
  await expect(input(one)).toHaveAttribute('aria-activedescendant', /./)
  await page.keyboard.type('g')
  await expect(input(one)).not.toHaveAttribute('aria-activedescendant')
  await expect(one.locator('[aria-selected=true]')).toHaveCount(0)
})

test('a name that is typed in full is looked for as any text: Enter takes the active option', async ({
  lookup,
}) => {
  const { page } = lookup
  const one = await lookup.show(
    `<form>${field('search-delay="300" value="p1" display="Ada Lovelace"')}</form>`,
  )
  await watchSubmit(page)
  await one.evaluate((element) =>
    Object.assign(element, { search: () => [{ value: 'p9', label: 'Ada Lovelace' }] }),
  )
  await input(one).click()
  await page.keyboard.type('Ada Lovelace')
  // Before it is answered it is asked at once, and then the one of that name is taken.
  await page.keyboard.press('Enter')
  await expect(one.locator('[aria-selected=true]')).toHaveText('Ada Lovelace')
  expect(await lookup.events()).toEqual([])
  await page.keyboard.press('Enter')
  expect(await lookup.events()).toEqual([['svc-lookup-change', { value: 'p9', label: 'Ada Lovelace' }]])
  await page.keyboard.press('Enter')
  expect(await lookup.events()).toEqual([['submit', null]])
})

test('what was typed and taken away again is no longer typed once Escape closed the list', async ({
  lookup,
}) => {
  const { page } = lookup
  const one = await lookup.show(field('search-delay="0"'))
  await input(one).click()
  for (const key of ['q', 'Backspace', 'Escape', 'Escape']) await page.keyboard.press(key)
  await setOn(one, { value: 'p2', display: 'Grace' })
  await expect(input(one)).toHaveValue('Grace')
})
