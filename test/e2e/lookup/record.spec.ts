// The record that the page sets: its name, where the name comes from, and how much of it is kept
// (docs/reference/lookup-field.md).
import type { SvcLookupField } from '../../../elements/index.ts'
import { expect, input, part, selectedIn, setOn, test } from '../support/lookup-page.ts'

const edit = (more = ''): string =>
  `<svc-lookup-field mode="edit" label="Who" search-delay="0" ${more}></svc-lookup-field>`

/** A page outside the back/forward cache, so its form is restored when the user goes back to it. */
const revisited = (value: string): string =>
  `<!doctype html><html lang="en"><title>Form</title><form>
    <svc-lookup-field mode="edit" label="Who" name="who" value="${value}" display="Name of ${value}"></svc-lookup-field>
    <input name="note"></form><a href="/other">Other</a><script type="module" src="/index.js"></script></html>`

test('Back restores only what a user changed: an untouched field shows what the server sends now', async ({
  page,
  script,
}) => {
  let value = 'p1'
  await page.route('http://form.invalid/**', async (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname === '/index.js') return route.fulfill({ contentType: 'text/javascript', body: script })
    const headers = { 'cache-control': 'no-store' }
    const body = pathname === '/' ? revisited(value) : 'Other'
    return route.fulfill({ contentType: 'text/html', headers, body })
  })
  await page.goto('http://form.invalid/')
  const field = page.locator('svc-lookup-field')
  await expect(input(field)).toHaveValue('Name of p1')
  await page.locator('[name=note]').fill('typed')
  await page.getByRole('link', { name: 'Other' }).click()
  await expect(page.getByText('Other')).toBeVisible()
  value = 'p9'
  await page.goBack()
  // The form was restored, as the text field next to it shows.
  await expect(page.locator('[name=note]')).toHaveValue('typed')
  await expect(input(field)).toHaveValue('Name of p9')
  const sent = await page.evaluate(() => new FormData(document.querySelector('form')!).get('who'))
  expect(sent).toBe('p9')
})

test('a value of null shows nothing, and a different value has no name or link of the previous one', async ({
  lookup,
}) => {
  const field = await lookup.show(edit('value="c1" display="Acme" href="/c1" required'))
  const state = (): Promise<unknown> =>
    field.evaluate((element: SvcLookupField) => [
      ...['value', 'display', 'href'].map((name) => element.getAttribute(name)),
      element.shadowRoot!.querySelector('input')!.value,
      element.validity.valueMissing,
    ])
  expect(await state()).toEqual(['c1', 'Acme', '/c1', 'Acme', false])
  await setOn(field, { value: null })
  expect(await state()).toEqual([null, null, null, '', true])
  await setOn(field, { value: 'c1', display: 'Acme' })
  await setOn(field, { value: 'c2' })
  expect(await state()).toEqual(['c2', null, null, 'c2', false])
  // Set in the same task, the name belongs to the new record, in either order.
  await setOn(field, { value: 'c3', display: 'Third' })
  expect(await state()).toEqual(['c3', 'Third', null, 'Third', false])
  await setOn(field, { display: 'Fourth', value: 'c4' })
  expect(await state()).toEqual(['c4', 'Fourth', null, 'Fourth', false])
  await field.evaluate((element: SvcLookupField) => element.setAttribute('value', 'c5'))
  expect(await state()).toEqual(['c5', null, null, 'c5', false])
  await field.evaluate((element: SvcLookupField) => element.removeAttribute('value'))
  expect(await state()).toEqual([null, null, null, '', true])
})

test('a source that can resolve an id provides the name and the link that the page omits', async ({
  lookup,
}) => {
  const field = await lookup.show('<svc-lookup-field label="Who" value="p2"></svc-lookup-field>', 'none')
  await field.evaluate((element: SvcLookupField) => {
    const resolve = async (value: string): Promise<{ value: string; label: string; href: string } | null> => {
      window.queries.push(value)
      return value === 'gone' ? null : { value, label: `Name of ${value}`, href: `/people/${value}` }
    }
    element.search = Object.assign(() => [], { resolve })
  })
  const link = part(field, 'link')
  await expect(link).toHaveText('Name of p2')
  await expect(link).toHaveAttribute('href', '/people/p2')
  await setOn(field, { value: 'p3' })
  await expect(link).toHaveText('Name of p3')
  expect(await lookup.queries()).toEqual(['p2', 'p3'])
  // A name that the page sets is not requested.
  await setOn(field, { value: 'p4', display: 'Own' })
  await expect(link).toHaveText('Own')
  // An unknown id is shown unchanged.
  await setOn(field, { value: 'gone' })
  await expect(link).toHaveText('gone')
  expect(await lookup.queries()).toEqual(['gone'])
  expect(await lookup.events()).toEqual([])
})

test('a name that arrives late is not the name of another record', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show('<svc-lookup-field label="Who" value="p1"></svc-lookup-field>', 'none')
  await field.evaluate((element: SvcLookupField) => {
    const resolve = (value: string, { signal }: { signal: AbortSignal }): Promise<never> =>
      new Promise((done) =>
        window.pending.push({
          query: value,
          signal,
          resolve: ([label]) => done({ value, label } as never),
          reject: () => {},
        }),
      )
    element.search = Object.assign(() => [], { resolve })
  })
  await expect.poll(() => page.evaluate(() => window.pending.length)).toBe(1)
  await setOn(field, { value: 'p2' })
  await expect.poll(() => page.evaluate(() => window.pending.length)).toBe(2)
  expect(await page.evaluate(() => window.pending[0]!.signal.aborted)).toBe(true)
  await page.evaluate(() => window.pending[1]!.resolve(['Second']))
  await page.evaluate(() => window.pending[0]!.resolve(['First']))
  await expect(part(field, 'link')).toHaveText('Second')
})

for (const [who, give] of [
  ['the source', (element: SvcLookupField) => void element.dispatchEvent(new Event('named'))],
  ['the page', (element: SvcLookupField) => element.setAttribute('display', 'Name of p2')],
] as const)
  test(`a name that ${who} sets in a field that has the focus is selected, so that typing replaces it`, async ({
    lookup,
  }) => {
    const { page } = lookup
    const field = await lookup.show(edit('value="p2"'), 'none')
    await field.evaluate((element: SvcLookupField) => {
      const named = new Promise((done) => element.addEventListener('named', done, { once: true }))
      const resolve = async (value: string): Promise<{ value: string; label: string }> => {
        await named
        return { value, label: `Name of ${value}` }
      }
      element.search = Object.assign(() => [], { resolve })
    })
    await page.keyboard.press('Tab')
    expect(await selectedIn(field)).toBe('p2')
    await field.evaluate(give)
    await expect(input(field)).toHaveValue('Name of p2')
    expect(await selectedIn(field)).toBe('Name of p2')
    await page.keyboard.type('gra')
    await expect(input(field)).toHaveValue('gra')
  })

test('a reset restores the name and the link from the source, without a second request', async ({
  lookup,
}) => {
  const { page } = lookup
  const field = await lookup.show(`<form>${edit('value="p2"')}</form>`, 'none')
  await field.evaluate((element: SvcLookupField) => {
    const resolve = async (value: string): Promise<{ value: string; label: string; href: string }> => {
      window.queries.push(value)
      return { value, label: `Name of ${value}`, href: `/people/${value}` }
    }
    element.search = Object.assign(() => [{ value: 'p3', label: 'Grace' }], { resolve })
  })
  await expect(input(field)).toHaveValue('Name of p2')
  await input(field).fill('gra')
  await part(field, 'option').click()
  await expect(field).toHaveAttribute('value', 'p3')
  await page.evaluate(() => document.querySelector('form')!.reset())
  const attributes = ['value', 'display', 'href'] as const
  const after = await field.evaluate(
    (element, names) => names.map((name) => element.getAttribute(name)),
    attributes,
  )
  expect(after).toEqual(['p2', 'Name of p2', '/people/p2'])
  await expect(input(field)).toHaveValue('Name of p2')
  expect(await lookup.queries()).toEqual(['p2'])
})

test('setCustomValidity blocks a form, as on any field', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(`<form>${edit('name="who" value="p1" display="Ada"')}</form>`)
  const state = (): Promise<unknown> =>
    field.evaluate((element: SvcLookupField) => [
      element.validity.customError,
      element.validity.valueMissing,
      element.validationMessage,
      element.checkValidity(),
      document.querySelector('form')!.checkValidity(),
    ])
  const set = (message: string): Promise<void> =>
    field.evaluate((element: SvcLookupField, text) => element.setCustomValidity(text), message)
  expect(await state()).toEqual([false, false, '', true, true])
  await set('Not this one.')
  expect(await state()).toEqual([true, false, 'Not this one.', false, false])
  // It stays until the page removes it, regardless of what is drawn in the meantime.
  await field.evaluate((element: SvcLookupField) => {
    element.toggleAttribute('required', true)
    element.value = null
  })
  expect(await state()).toEqual([true, true, 'Not this one.', false, false])
  await set('')
  expect(await state()).toEqual([false, true, 'Choose one.', false, false])
  await setOn(field, { value: 'p1' })
  expect(await state()).toEqual([false, false, '', true, true])
  await set('Again.')
  await field.evaluate((element: SvcLookupField) => element.toggleAttribute('disabled', true))
  expect(await page.evaluate(() => document.querySelector('form')!.checkValidity())).toBe(true)
})

test('a field without a label has a name nevertheless', async ({ lookup }) => {
  const field = await lookup.show('<svc-lookup-field mode="edit"></svc-lookup-field>')
  await expect(input(field)).toHaveAccessibleName('Search…')
  await field.evaluate((element: SvcLookupField) => element.setAttribute('placeholder', ''))
  await expect(input(field)).toHaveAccessibleName('Search…')
})
