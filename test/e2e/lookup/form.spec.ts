// In a form it behaves like a native field.
import type { Locator, Page } from '@playwright/test'
import { expect, setOn, test, watchSubmit } from '../support/lookup-page.ts'

const form = (inside: string): string => `<form id="f">${inside}<button>Send</button></form>`
const field = (more = ''): string =>
  `<svc-lookup-field mode="edit" name="who" search-delay="0" ${more}></svc-lookup-field>`
const sent = (page: Page): Promise<unknown> =>
  page.evaluate(() => [...new FormData(document.querySelector('form')!)])
const reset = (page: Page): Promise<void> => page.evaluate(() => document.querySelector('form')!.reset())
/** The selected record. */
const pointed = (one: Locator): Promise<(string | null)[]> =>
  one.evaluate((each) => ['value', 'display', 'href'].map((name) => each.getAttribute(name)))

test('its value is submitted under its name, and nothing without a name', async ({ lookup }) => {
  const { page } = lookup
  await lookup.show(form(field('value="p1" display="Ada"')))
  expect(await sent(page)).toEqual([['who', 'p1']])
  await page.locator('[part=clear]').click()
  expect(await sent(page)).toEqual([])
})

test('a reset restores what the page began with', async ({ lookup }) => {
  const { page } = lookup
  const one = await lookup.show(form(field('value="p1" display="Ada" href="/p1"')))
  await one.locator('[part=input]').fill('grace')
  await page.keyboard.press('Enter')
  expect(await sent(page)).toEqual([['who', 'p3']])
  await one.locator('[part=input]').fill('half a na')
  await reset(page)
  expect(await sent(page)).toEqual([['who', 'p1']])
  await expect(one.locator('[part=input]')).toHaveValue('Ada')
  await expect(one).toHaveAttribute('href', '/p1')
})

test('required blocks the form until an option is chosen; read mode never does', async ({ lookup }) => {
  const { page } = lookup
  const one = await lookup.show(form(field('required label="Who"')))
  await watchSubmit(page)
  await page.getByRole('button', { name: 'Send' }).click()
  expect(await lookup.events()).toEqual([])
  await expect(one.locator('[part=input]')).toBeFocused()
  const facts = (): Promise<unknown> =>
    page.evaluate(() => {
      const { validity, validationMessage } = document.querySelector('svc-lookup-field')!
      return [validity.valid, validity.valueMissing, validationMessage]
    })
  expect(await facts()).toEqual([false, true, 'Choose one.'])
  await one.evaluate((element) => element.setAttribute('mode', 'read'))
  expect(await facts()).toEqual([true, false, ''])
  await one.evaluate((element) => element.setAttribute('mode', 'edit'))
  await one.locator('[part=input]').fill('ada')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Send' }).click()
  expect((await lookup.events()).map(([name]) => name)).toEqual(['svc-lookup-change', 'submit'])
})

test('disabled, directly or by its fieldset, it is neither submitted nor focusable', async ({ lookup }) => {
  const { page } = lookup
  const one = await lookup.show(form(`<fieldset disabled>${field('value="p1" required')}</fieldset>`))
  expect(await sent(page)).toEqual([])
  await expect(one.locator('[part=input]')).toBeDisabled()
  await page.evaluate(() => document.querySelector('fieldset')!.removeAttribute('disabled'))
  await expect(one.locator('[part=input]')).toBeEnabled()
  expect(await sent(page)).toEqual([['who', 'p1']])
  await one.evaluate((element) => element.setAttribute('disabled', ''))
  expect(await sent(page)).toEqual([])
})

test('a label of the page names it and focuses it, around it or next to it', async ({ lookup }) => {
  const { page } = lookup
  await lookup.show(`<label for="a">Writer</label>${field('id="a"')}<label>Reader ${field('id="b"')}</label>`)
  await page.getByText('Writer').click()
  await expect(page.locator('#a [part=input]')).toBeFocused()
  await expect(page.getByRole('combobox', { name: 'Writer' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByText('Reader').click()
  await expect(page.locator('#b [part=input]')).toBeFocused()
})

test('the form attribute associates it with a form elsewhere', async ({ lookup }) => {
  const { page } = lookup
  await lookup.show(`${form('')}${field('form="f" value="p2"')}`)
  expect(await sent(page)).toEqual([['who', 'p2']])
})

test('Enter in the closed field submits the form, as in a text field; in the open list it chooses', async ({
  lookup,
}) => {
  const { page } = lookup
  const one = await lookup.show(form(field()))
  await watchSubmit(page)
  await one.locator('[part=input]').click()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect((await lookup.events()).map(([name]) => name)).toEqual(['svc-lookup-change'])
  await page.keyboard.press('Enter')
  expect(await lookup.events()).toEqual([['submit', null]])
})

test('the state that a restored page passes is used', async ({ lookup }) => {
  const { page } = lookup
  await lookup.show(form(field()))
  const state = await page.evaluate(() => {
    const one = document.querySelector('svc-lookup-field') as unknown as {
      formStateRestoreCallback(state: unknown): void
      value: string | null
      display: string | null
    }
    one.formStateRestoreCallback(JSON.stringify({ value: 'p4', display: 'Katherine', href: null }))
    one.formStateRestoreCallback('of another time')
    return [one.value, one.display]
  })
  expect(state).toEqual(['p4', 'Katherine'])
})

for (const [what, more] of [
  ['empty', ''],
  ['in which an option is chosen', 'value="p1" display="Ada Lovelace"'],
])
  test(`Enter in a field, ${what}, that only has the focus submits the form and changes nothing`, async ({
    lookup,
  }) => {
    const { page } = lookup
    const one = await lookup.show(form(field(more)))
    await watchSubmit(page)
    await page.keyboard.press('Tab')
    await expect(one.locator('[part=option]').first()).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(one.locator('[part=option]')).toHaveCount(0)
    expect(await lookup.events()).toEqual([['submit', null]])
  })

for (const button of [
  '<input type="image" alt="Go">',
  '<button type="">Go</button>',
  '<button type="odd">Go</button>',
])
  test(`Enter presses ${button}, as in a text field`, async ({ lookup }) => {
    const { page } = lookup
    await lookup.show(`<form>${field()}<input name="other"><button type="button">No</button>${button}</form>`)
    await watchSubmit(page)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await lookup.events()).toEqual([['submit', null]])
  })

test('a lookup in read mode does not block Enter in one in edit mode', async ({ lookup }) => {
  const { page } = lookup
  await lookup.show(`<form>${field()}<svc-lookup-field name="of" value="p2"></svc-lookup-field></form>`)
  await watchSubmit(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await lookup.events()).toEqual([['submit', null]])
})

test('a reset restores the record that the page set by property, as it does for the attribute', async ({
  lookup,
}) => {
  const { page } = lookup
  const one = await lookup.show(form(''))
  await page.evaluate(() => {
    const element = Object.assign(document.createElement('svc-lookup-field'), {
      ...{ value: 'p1', display: 'Ada', search: window.sources['people'] },
    })
    element.setAttribute('mode', 'edit')
    document.querySelector('form')!.prepend(element)
  })
  for (const [to, shown] of [
    [null, 'Ada'],
    [{ value: 'p2', display: 'Alan' }, 'Alan'],
    // Without a name, it does not keep the previous name.
    [{ value: 'p7', display: null }, 'p7'],
  ] as const) {
    await setOn(one, to ?? {})
    await one.locator('[part=input]').fill('grace')
    await expect(one.locator('[part=option]')).toHaveText(['Grace Hopper'])
    await page.keyboard.press('Enter')
    await reset(page)
    await expect(one.locator('[part=input]')).toHaveValue(shown)
  }
})

test('a field with a record opens its list with no active option, at that record; arrows start there', async ({
  lookup,
}) => {
  const { page } = lookup
  const one = await lookup.show(form(field('value="k500" display="Row 500"')), 'many')
  await page.keyboard.press('Tab')
  await expect(one.locator('[aria-current]')).toBeInViewport()
  await expect(one.locator('[aria-selected=true]')).toHaveCount(0)
  await page.keyboard.press('ArrowDown')
  await expect(one.locator('[aria-selected=true]')).toHaveText('Row 500')
  await page.keyboard.press('ArrowDown')
  await expect(one.locator('[aria-selected=true]')).toHaveText('Row 501')
  await page.keyboard.press('Enter')
  await expect(one).toHaveAttribute('value', 'k501')
})

test('Enter on the trigger, twice, submits no form', async ({ lookup }) => {
  const { page } = lookup
  const one = await lookup.show(
    form('<svc-lookup-field name="who" value="p1" display="Ada" search-delay="0"></svc-lookup-field>'),
  )
  await watchSubmit(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(one.locator('[part=option]').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(one.locator('[part=link]')).toBeFocused()
  expect(await lookup.events()).toEqual([])
})

test('Back restores the chosen record, with its name and URL', async ({ page, script }) => {
  const html = `<!doctype html><html lang="en"><title>Form</title><form>
    <svc-lookup-field mode="edit" label="Who" name="who" value="p1" display="Ada" search-delay="0"></svc-lookup-field>
    </form><a href="/other">Other</a><script type="module" src="/index.js"></script></html>`
  await page.route('http://form.invalid/**', async (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname === '/index.js') return route.fulfill({ contentType: 'text/javascript', body: script })
    // A page outside the back/forward cache, so that its form is restored.
    const headers = { 'cache-control': 'no-store' }
    return route.fulfill({ contentType: 'text/html', headers, body: pathname === '/' ? html : 'Other' })
  })
  await page.goto('http://form.invalid/')
  const one = page.locator('svc-lookup-field')
  await one.evaluate(
    (element) => Object.assign(element, { search: () => [{ value: 'p3', label: 'Grace', href: '/p3' }] }).id,
  )
  await one.locator('[part=input]').fill('gra')
  await one.locator('[part=option]').click()
  await page.getByRole('link', { name: 'Other' }).click()
  await page.goBack()
  await expect(one.locator('[part=input]')).toHaveValue('Grace')
  expect(await one.evaluate((each) => [each.getAttribute('value'), each.getAttribute('href')])).toEqual([
    'p3',
    '/p3',
  ])
})

test('focused by Tab or by the page, the name is selected, and typing replaces it', async ({ lookup }) => {
  const { page } = lookup
  const one = await lookup.show(form(field('value="p1" display="Ada Lovelace"')))
  for (const come of [() => page.keyboard.press('Tab'), () => one.evaluate((element) => element.focus())]) {
    await come()
    await page.keyboard.type('gra')
    await expect(one.locator('[part=input]')).toHaveValue('gra')
    await page.getByRole('button', { name: 'Send' }).focus()
    await expect(one.locator('[part=input]')).toHaveValue('Ada Lovelace')
  }
})

test('after a reset too, a name is not that of another record', async ({ lookup }) => {
  const { page } = lookup
  const one = await lookup.show(form(field()))
  const choose = async (name: string): Promise<void> => {
    await one.locator('[part=input]').fill(name.slice(0, 4))
    await page.keyboard.press('Enter')
    await expect(one.locator('[part=input]')).toHaveValue(name)
  }
  // The page sets what was chosen, as a framework does; then another option is chosen and reset.
  await choose('Alan Turing')
  await setOn(one, { value: 'p2' })
  await choose('Grace Hopper')
  await reset(page)
  expect(await pointed(one)).toEqual(['p2', 'Alan Turing', '/people/p2'])
  await setOn(one, { value: 'p9' })
  expect(await pointed(one)).toEqual(['p9', null, null])
  // It sets only the name of what was chosen: that is not another record.
  await choose('Alan Turing')
  await setOn(one, { display: 'ALAN TURING' })
  await choose('Grace Hopper')
  await reset(page)
  expect(await pointed(one)).toEqual(['p9', null, null])
})

for (const [what, answer, after] of [
  ['its address', { href: '/own/p3' }, ['p1', 'Ada', '/ada']],
  ['its name', { display: 'GRACE' }, ['p1', 'Ada', '/ada']],
  ['its id', { value: 'p3' }, ['p3', 'Grace Hopper', '/people/p3']],
] as const)
  test(`a reset after the page set ${what} of what was chosen`, async ({ lookup }) => {
    const { page } = lookup
    const one = await lookup.show(form(field('value="p1" display="Ada" href="/ada"')))
    // As attributes: the current values are set again.
    await one.evaluate((element, given) => {
      element.addEventListener('svc-lookup-change', () => {
        for (const [name, value] of Object.entries(given)) element.setAttribute(name, value)
      })
      element.addEventListener('svc-lookup-clear', () => Object.assign(element, { display: null }))
    }, answer)
    await one.locator('[part=input]').fill('gra')
    await page.keyboard.press('Enter')
    await expect(one).toHaveAttribute('value', 'p3')
    await reset(page)
    expect(await pointed(one)).toEqual(after)
    await one.locator('[part=clear]').click()
    expect(await pointed(one)).toEqual([null, null, null])
    await reset(page)
    expect(await pointed(one)).toEqual(after)
  })

test('a page that undoes a choice gets back the name and the URL of its record', async ({ lookup }) => {
  const { page } = lookup
  for (const order of [
    ['value', 'display'],
    ['display', 'value'],
  ]) {
    const one = await lookup.show(form(field('value="p1" display="Ada" href="/ada"')))
    await one.locator('[part=input]').fill('gra')
    await page.keyboard.press('Enter')
    await expect(one).toHaveAttribute('value', 'p3')
    const own: Record<string, string> = { value: 'p1', display: 'Ada' }
    for (const name of order) await setOn(one, { [name]: own[name] })
    expect(await pointed(one)).toEqual(['p1', 'Ada', '/ada'])
  }
})

test('a box that was emptied again, unchanged, lets Enter submit the form', async ({ lookup }) => {
  const { page } = lookup
  const one = await lookup.show(form(field()))
  await watchSubmit(page)
  await page.keyboard.press('Tab')
  await page.keyboard.type('q')
  await page.keyboard.press('Backspace')
  await expect(one.locator('[part=option]').first()).toBeVisible()
  await page.keyboard.press('Enter')
  expect(await lookup.events()).toEqual([['submit', null]])
})

test('Page Down continues from the selected record, and an arrow from the one that the page has set by then', async ({
  lookup,
}) => {
  const { page } = lookup
  const one = await lookup.show(form(field('value="k500" display="Row 500"')), 'many')
  await page.keyboard.press('Tab')
  await expect(one.locator('[aria-current]')).toBeInViewport()
  await page.keyboard.press('PageDown')
  await expect(one.locator('[aria-selected=true]')).toHaveText(/^Row 5[01]\d$/)
  await page.keyboard.press('Escape')
  await one.locator('[part=input]').click()
  await expect(one.locator('[aria-current]')).toBeInViewport()
  await setOn(one, { value: 'k600', display: 'Row 600' })
  await page.keyboard.press('ArrowDown')
  await expect(one.locator('[aria-selected=true]')).toHaveText('Row 600')
})

test('opened with an arrow, the selected record is active', async ({ lookup }) => {
  const { page } = lookup
  const one = await lookup.show(form(field('value="p2" display="Alan Turing"')))
  await watchSubmit(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowDown')
  await expect(one.locator('[aria-selected=true]')).toHaveText('Alan Turing')
  await page.keyboard.press('Enter')
  expect(await lookup.events()).toEqual([['svc-lookup-change', { value: 'p2', label: 'Alan Turing' }]])
})

test('spaces alone make no option active', async ({ lookup }) => {
  const { page } = lookup
  const one = await lookup.show(form(field()))
  await one.locator('[part=input]').fill(' ')
  await expect(one.locator('[part=option]').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(one).not.toHaveAttribute('value')
})

test('a page that sets its record again, after another one was chosen, restores its name', async ({
  lookup,
}) => {
  const { page } = lookup
  const one = await lookup.show(form(field('value="p1" display="Ada" href="/ada"')))
  await one.locator('[part=input]').fill('grace')
  await page.keyboard.press('Enter')
  await expect(one).toHaveAttribute('value', 'p3')
  await setOn(one, { value: 'p1' })
  await expect(one.locator('[part=input]')).toHaveValue('Ada')
  await expect(one).toHaveAttribute('href', '/ada')
})
