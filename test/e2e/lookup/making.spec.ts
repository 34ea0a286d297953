// An option that creates its record, and what happens until the record exists.
import type { Locator } from '@playwright/test'
import { expect, input, isOpen, part, setOn, test, type LookupPage } from '../support/lookup-page.ts'

const field =
  '<svc-lookup-field mode="edit" label="Who" search-delay="0" value="p1" display="Ada"></svc-lookup-field>'

/** "Create" was chosen; the record is created when the field receives "made". */
async function making(lookup: LookupPage, markup = `${field}<button>Next</button>`): Promise<Locator> {
  const one = await lookup.show(markup)
  await one.evaluate((element) => {
    const make = (signal: AbortSignal): Promise<unknown> => {
      signal.addEventListener('abort', () => window.fired.push(['called off', null]))
      return new Promise((done) =>
        element.addEventListener('made', () => done({ value: 'n', label: 'Zoe' }), { once: true }),
      )
    }
    const options = [
      { value: '', label: 'Create', make },
      { value: 'p3', label: 'Grace' },
    ]
    Object.assign(element, { search: (query: string) => (query === 'zoe' ? options : options.slice(1)) })
  })
  await input(one).fill('zoe')
  await part(one, 'option').first().click()
  await expect(one.locator('.line')).toHaveText('Create…')
  return one
}
const dispatchMade = (one: Locator): Promise<boolean> =>
  one.evaluate((element) => element.dispatchEvent(new Event('made')))
const change = (value: string, label: string): [string, unknown] => ['svc-lookup-change', { value, label }]

test('a record that is created after the field was left is selected', async ({ lookup }) => {
  const { page } = lookup
  const one = await making(lookup)
  await page.getByRole('button', { name: 'Next' }).focus()
  await expect(input(one)).toHaveValue('Ada')
  await dispatchMade(one)
  await expect(input(one)).toHaveValue('Zoe')
  expect(await lookup.events()).toEqual([change('n', 'Zoe')])
  await expect(page.getByRole('button', { name: 'Next' })).toBeFocused()
})

for (const [what, meanwhile, shown] of [
  [
    'the page sets a different record',
    (one: Element): void => void Object.assign(one, { value: 'p2', display: 'Alan' }),
    'Alan',
  ],
  ['the page sets a different value', (one: Element) => one.setAttribute('value', 'p9'), 'p9'],
  ['the page disables the field', (one: Element) => one.setAttribute('disabled', ''), 'Ada'],
  ['the page switches it to read mode', (one: Element) => one.setAttribute('mode', 'read'), 'Ada'],
  [
    'the page sets a different source',
    (one: Element): void => void Object.assign(one, { search: () => [] }),
    'Ada',
  ],
] as const)
  test(`if ${what} in the meantime, the record is not selected`, async ({ lookup }) => {
    const one = await making(lookup)
    await lookup.page.getByRole('button', { name: 'Next' }).focus()
    await one.evaluate(meanwhile)
    await dispatchMade(one)
    await expect(input(one)).toHaveValue(shown)
    expect(await lookup.events()).toEqual([['called off', null]])
  })

test('a fieldset that is disabled in the meantime cancels it', async ({ lookup }) => {
  const one = await making(lookup, `<fieldset>${field}</fieldset>`)
  await lookup.page.locator('fieldset').evaluate((element) => element.setAttribute('disabled', ''))
  await dispatchMade(one)
  await expect(input(one)).toHaveValue('Ada')
  expect(await lookup.events()).toEqual([['called off', null]])
  expect(await isOpen(one)).toBe(false)
})

test('if the page sets another record, no message about a record in the making remains', async ({
  lookup,
}) => {
  const one = await making(lookup)
  await setOn(one, { value: 'p2', display: 'Alan' })
  expect(await isOpen(one)).toBe(false)
  await one.evaluate((element) => {
    const make = (): Promise<never> => Promise.reject(new Error('no'))
    Object.assign(element, { search: () => [{ value: '', label: 'Create', make }] })
  })
  await input(one).fill('x')
  await part(one, 'option').click()
  await expect(one.locator('.line')).toHaveText('It was not created. Try again')
  await setOn(one, { value: 'p4' })
  expect(await isOpen(one)).toBe(false)
})

test('typing cancels it, and keeps the text', async ({ lookup }) => {
  const one = await making(lookup)
  await lookup.page.keyboard.type('!')
  await dispatchMade(one)
  await expect(input(one)).toHaveValue('zoe!')
  expect(await lookup.events()).toEqual([['called off', null]])
})

for (const [what, end] of [
  ['Escape', async (one: Locator) => input(one).press('Escape')],
  ['the clear control', async (one: Locator) => part(one, 'clear').click()],
] as const)
  test(`${what} cancels it`, async ({ lookup }) => {
    const one = await making(lookup)
    await end(one)
    await dispatchMade(one)
    await lookup.page.waitForTimeout(50)
    expect((await lookup.events()).map(([name]) => name)).not.toContain('svc-lookup-change')
    await expect(one).not.toHaveAttribute('value', 'n')
  })

test('choosing another option after the field was left and focused again cancels it', async ({ lookup }) => {
  const { page } = lookup
  const one = await making(lookup)
  await page.getByRole('button', { name: 'Next' }).focus()
  await input(one).focus()
  await part(one, 'option').getByText('Grace').click()
  await dispatchMade(one)
  await page.waitForTimeout(50)
  await expect(input(one)).toHaveValue('Grace')
  expect(await lookup.events()).toEqual([['called off', null], change('p3', 'Grace')])
})

test('one that makes another record: "Create" made nothing', async ({ lookup }) => {
  const one = await lookup.show(field)
  await one.evaluate((element) => {
    const again = { value: '', label: 'Ghost', make: () => null }
    Object.assign(element, { search: () => [{ value: '', label: 'Create', make: () => again }] })
  })
  await input(one).fill('zoe')
  await part(one, 'option').click()
  await expect.poll(() => isOpen(one)).toBe(false)
  await expect(input(one)).toHaveValue('zoe')
  expect(await lookup.events()).toEqual([])
})

test('an error after the field was left and focused again is shown, and the list that is open by then stays', async ({
  lookup,
}) => {
  const { page } = lookup
  const one = await lookup.show(`${field}<button>Next</button>`)
  await one.evaluate((element) => {
    const make = (): Promise<unknown> =>
      new Promise((_done, fail) =>
        element.addEventListener('fails', () => fail(new Error('no')), { once: true }),
      )
    const search = (query: string): unknown[] =>
      query === '' ? [{ value: 'p3', label: 'Grace' }] : [{ value: '', label: 'Create', make }]
    Object.assign(element, { search })
  })
  await input(one).fill('zoe')
  await part(one, 'option').first().click()
  await page.getByRole('button', { name: 'Next' }).focus()
  await input(one).focus()
  await page.keyboard.press('ArrowDown')
  await expect(one.locator('[aria-selected=true]')).toHaveText('Grace')
  await one.evaluate((element) => element.dispatchEvent(new Event('fails')))
  await expect(one.locator('[aria-live=polite]')).toHaveText('It was not created.')
  await page.keyboard.press('Enter')
  expect(await lookup.events()).toEqual([change('p3', 'Grace')])
})
