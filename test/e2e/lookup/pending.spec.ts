// What is pending when something else happens, and which of it no longer applies afterwards.
import type { Locator, Page } from '@playwright/test'
import { expect, input, isOpen, part, setOn, test, watchSubmit } from '../support/lookup-page.ts'

const field = (more = ''): string => `<svc-lookup-field mode="edit" label="Who" ${more}></svc-lookup-field>`
const options = (of: Locator): Locator => part(of, 'option')

for (const how of ['Up Arrow', 'scrolling'])
  test(`a page of the previous query, reached by ${how}, does not cancel the current query`, async ({
    lookup,
  }) => {
    const { page } = lookup
    const one = await lookup.show(field('search-delay="300"'), 'paged')
    await input(one).click()
    await expect(options(one).first()).toHaveText('Row 0')
    await lookup.queries()
    await page.keyboard.type('777')
    if (how === 'Up Arrow') await page.keyboard.press('ArrowUp')
    else await part(one, 'listbox').evaluate((list) => (list.scrollTop = list.scrollHeight))
    await expect(options(one)).toHaveText(['Row 777'])
    expect(await lookup.queries()).toEqual(['777'])
  })

test('Enter before the query is answered searches immediately, and chooses nothing from the previous list', async ({
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

test('a row reached with an arrow is what Enter chooses, even before the query is searched', async ({
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

test('in an empty box no option is active, not even one that creates a record', async ({ lookup }) => {
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
  test(`${what} cancels a search that waits while the list is closed`, async ({ lookup }) => {
    const { page } = lookup
    const one = await lookup.show(`<form>${field('search-delay="800" value="p1" display="Ada"')}</form>`)
    await watchSubmit(page)
    await input(one).click()
    await page.keyboard.press('Escape')
    await lookup.queries()
    await page.keyboard.type('gr')
    await end(page)
    await page.waitForTimeout(1100)
    expect([await isOpen(one), await lookup.queries()]).toEqual([false, []])
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
    // If the list was opened from read mode, Enter returns to it.
    expect(await lookup.events()).toEqual(mode === 'edit' ? [['submit', null]] : [])
  })

test.describe('a value that the page sets', () => {
  /** Grace is chosen, then the page sets a value. */
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
    ['to a different id', 'p1', 'p1'],
    ['to a different id, as an attribute', 'p1', 'p1'],
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

  test('with the name of the event keeps its name', async ({ lookup }) => {
    const one = await chosen(lookup)
    await one.evaluate((element) => Object.assign(element, { value: 'p3' }))
    expect(await names(one)).toEqual(['Grace Hopper', '/people/p3', 'Grace Hopper'])
  })

  test('keeps a name and a URL that the page set', async ({ lookup }) => {
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
  test(`a ${what} that the page sets while a search waits applies to that search`, async ({ lookup }) => {
    const { page } = lookup
    const one = await lookup.show(field('search-delay="800" value="p1" display="Ada"'))
    await input(one).click()
    await page.keyboard.press('Escape')
    await page.keyboard.type('gra')
    await lookup.queries()
    await one.evaluate(meanwhile)
    await page.waitForTimeout(1100)
    expect(await lookup.queries()).toEqual([])
    if (what === 'source') await expect(options(one)).toHaveText(['New'])
    else await expect(options(one)).toHaveCount(0)
    expect(await isOpen(one)).toBe(what !== 'mode')
  })

test('display fields changed while a search waits over an open list are used for it', async ({ lookup }) => {
  const { page } = lookup
  const one = await lookup.show(field())
  await input(one).click()
  await page.keyboard.type('gra')
  await one.evaluate((element) => element.setAttribute('display-fields', 'born'))
  await expect(options(one)).toHaveText(['Grace Hopper 1817'])
})

test('Enter after typing in a closed list searches, and submits no form with the previous record', async ({
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

test('the active option is no longer active once something is typed', async ({ lookup }) => {
  const { page } = lookup
  const one = await lookup.show(field('search-delay="60000"'))
  await input(one).click()
  await page.keyboard.press('ArrowDown')
  await expect(input(one)).toHaveAttribute('aria-activedescendant', /./)
  await page.keyboard.type('g')
  await expect(input(one)).not.toHaveAttribute('aria-activedescendant')
  await expect(one.locator('[aria-selected=true]')).toHaveCount(0)
})

test('a name that is typed in full is searched like any text: Enter chooses the active option', async ({
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
  // Before the response, the search runs immediately, and then the option with that name is chosen.
  await page.keyboard.press('Enter')
  await expect(one.locator('[aria-selected=true]')).toHaveText('Ada Lovelace')
  expect(await lookup.events()).toEqual([])
  await page.keyboard.press('Enter')
  expect(await lookup.events()).toEqual([['svc-lookup-change', { value: 'p9', label: 'Ada Lovelace' }]])
  await page.keyboard.press('Enter')
  expect(await lookup.events()).toEqual([['submit', null]])
})

test('text that was typed and deleted is forgotten once Escape closed the list', async ({ lookup }) => {
  const { page } = lookup
  const one = await lookup.show(field('search-delay="0"'))
  await input(one).click()
  for (const key of ['q', 'Backspace', 'Escape', 'Escape']) await page.keyboard.press(key)
  await setOn(one, { value: 'p2', display: 'Grace' })
  await expect(input(one)).toHaveValue('Grace')
})
