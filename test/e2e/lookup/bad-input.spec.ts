// Faults of a source, a page or a user: no error reaches the page, and nothing wrong is shown. The page of these tests
// fails a test on every error that reaches it.
import type { Locator } from '@playwright/test'
import { expect, input, isOpen, part, test } from '../support/lookup-page.ts'

const edit = (more = ''): string =>
  `<svc-lookup-field mode="edit" label="Who" search-delay="0" ${more}></svc-lookup-field>`
const line = (field: Locator): Locator => part(field, 'listbox').getByRole('option')

const failing: [what: string, source: () => unknown][] = [
  [
    'throws',
    () => {
      throw new Error('broken')
    },
  ],
  [
    'throws nothing',
    () => {
      throw undefined
    },
  ],
  ['rejects', () => Promise.reject(new Error('later'))],
  ['answers nothing', () => undefined],
  ['returns null', () => null],
  ['returns a text', () => 'Ada'],
  ['returns a promise of a number', () => Promise.resolve(7)],
  ['returns a page without options', () => ({ next: 1 })],
  [
    'returns a promise that throws when it is awaited',
    () => ({
      then: () => {
        throw new Error('then')
      },
    }),
  ],
  [
    'answers rows that break when they are read',
    () => [
      {
        value: '1',
        get label() {
          throw new Error('row')
        },
      },
    ],
  ],
]
for (const [what, source] of failing)
  test(`a source that ${what}: the fault is shown, and the search can be repeated`, async ({ lookup }) => {
    const { page } = lookup
    const field = await lookup.show(edit(), 'none')
    await page.evaluate(`document.querySelector('svc-lookup-field').search = ${String(source)}`)
    await page.keyboard.press('Tab')
    await expect(line(field)).toHaveText('The search failed. Try again')
    await field.evaluate((element) => {
      ;(element as unknown as { search: unknown }).search = window.sources['people']
    })
    await expect(part(field, 'option')).toHaveCount(5)
  })

const odd: [what: string, rows: unknown[], shown: string[]][] = [
  ['no rows', [], ['Nothing to choose from']],
  ['holes and no objects', [null, undefined, 3, 'x', [], {}], ['Nothing to choose from']],
  [
    'numbers as ids and names',
    [
      { value: 1, label: 2 },
      { value: 0, label: 'Zero' },
    ],
    ['2', 'Zero'],
  ],
  [
    'one id as number and as text',
    [
      { value: 1, label: 'One' },
      { value: '1', label: 'Again' },
    ],
    ['One'],
  ],
  [
    'objects where texts belong',
    [
      { value: 'a', label: { x: 1 } },
      { value: {}, label: 'B' },
    ],
    ['a'],
  ],
  ['a name of spaces', [{ value: 'a', label: '' }], ['a']],
  [
    'markup',
    [{ value: 'a', label: '<b>x</b>', sublabel: '<i>y</i>', group: '<u>z</u>' }],
    ['<b>x</b> <u>z</u> <i>y</i>'],
  ],
  [
    'nothing in captions and second lines',
    [{ value: 'a', label: 'A', sublabel: null, group: null, fields: null }],
    ['A'],
  ],
  ['an empty second line of its own', [{ value: 'a', label: 'A', sublabel: '', fields: { f: 'F' } }], ['A']],
]
for (const [what, rows, shown] of odd)
  test(`rows with ${what}`, async ({ lookup }) => {
    const { page } = lookup
    const field = await lookup.show(edit('display-fields="f"'), 'none')
    await field.evaluate((element, given) => {
      ;(element as unknown as { search: unknown }).search = () => given
    }, rows)
    await page.keyboard.press('Tab')
    await expect(line(field)).toHaveText(shown)
    expect(await page.locator('b, i, u').count()).toBe(0)
  })

test('ids too large for a number are ids', async ({ lookup }) => {
  const field = await lookup.show(edit(), 'none')
  await field.evaluate((element) => {
    ;(element as unknown as { search: unknown }).search = () => [
      { value: 12345678901234567890n, label: 'Big' },
    ]
  })
  await input(field).click()
  await part(field, 'option').click()
  expect(await lookup.events()).toEqual([
    ['svc-lookup-change', { value: '12345678901234567890', label: 'Big' }],
  ])
})

test('a source that never responds: the list shows that it searches, and can be left', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit('value="p1" display="Ada"'), 'slow')
  await page.keyboard.press('Tab')
  await page.keyboard.type('x')
  await expect(line(field)).toHaveText('Searching for “x”…')
  await page.keyboard.press('Enter')
  expect(await lookup.events()).toEqual([])
  await page.keyboard.press('Escape')
  expect(await isOpen(field)).toBe(false)
  await page.keyboard.press('Escape')
  await expect(input(field)).toHaveValue('Ada')
  expect(await page.evaluate(() => window.pending.every(({ signal }) => signal.aborted))).toBe(true)
})

test('responses out of order, or after an error, are never painted', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit(), 'slow')
  await page.keyboard.press('Tab')
  await page.keyboard.type('ab')
  await expect.poll(() => page.evaluate(() => window.pending.length)).toBe(3)
  await page.evaluate(() => {
    window.pending[1]!.reject()
    window.pending[0]!.resolve(['First'])
  })
  await expect(line(field)).toHaveText('Searching for “ab”…')
  await page.evaluate(() => window.pending[2]!.resolve(['Third']))
  await expect(line(field)).toHaveText('Third')
})

test('a value that no longer exists is shown unchanged, and no option is active for it', async ({
  lookup,
}) => {
  const { page } = lookup
  const field = await lookup.show(edit('value="gone" display="Gone Person"'))
  await expect(input(field)).toHaveValue('Gone Person')
  await page.keyboard.press('Tab')
  await expect(part(field, 'option')).toHaveCount(5)
  await expect(field.locator('[aria-selected=true], [aria-current]')).toHaveCount(0)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(field).toHaveAttribute('value', 'gone')
})

const wrong: [attribute: string, value: string][] = [
  ['mode', ''],
  ['min-chars', '-3'],
  ['min-chars', 'Infinity'],
  ['min-chars', '1e999'],
  ['search-delay', '-1'],
  ['search-delay', 'NaN'],
  ['match-fields', ',,, ,'],
  ['display-fields', ', constructor,__proto__'],
  ['href', 'http://['],
  ['href', ' '],
  ['dir', 'sideways'],
]
for (const [attribute, value] of wrong)
  test(`${attribute}="${value}" does no harm`, async ({ lookup }) => {
    const { page } = lookup
    const field = await lookup.show(edit('value="p1"'))
    await field.evaluate((element, [name, to]) => element.setAttribute(name, to), [attribute, value] as const)
    if (attribute === 'href' || attribute === 'mode') {
      await field.evaluate((element) => element.removeAttribute('mode'))
      await expect(part(field, 'link')).toHaveText('p1')
      await expect(field.getByRole('link')).toHaveCount(0)
      return
    }
    await input(field).click()
    await page.keyboard.type('a')
    await expect(part(field, 'option').first()).toHaveText('Ada Lovelace')
  })

test('a search-delay longer than a timer can wait waits', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(
    '<svc-lookup-field mode="edit" search-delay="9999999999"></svc-lookup-field>',
  )
  await input(field).click()
  await lookup.queries()
  await page.keyboard.type('a')
  await page.waitForTimeout(100)
  expect(await lookup.queries()).toEqual([])
})

test('a search that is not a function is ignored, with a message', async ({ lookup }) => {
  const field = await lookup.show(edit(), 'none')
  const search = await field.evaluate((element) => {
    const field = element as unknown as { search: unknown }
    field.search = 'people'
    return field.search
  })
  expect(search).toBeNull()
  await input(field).click()
  await expect(line(field)).toHaveText('No source to search.')
})

test('removed while open: the list is removed too, and the field works when it is inserted again', async ({
  lookup,
}) => {
  const { page } = lookup
  const field = await lookup.show(edit())
  await input(field).click()
  await expect(part(field, 'option')).toHaveCount(5)
  const state = await page.evaluate(() => {
    const element = document.querySelector('svc-lookup-field')!
    element.remove()
    const { open } = element
    document.querySelector('main')!.append(element)
    return [open, element.open, element.shadowRoot!.querySelectorAll('[role=option]').length]
  })
  expect(state).toEqual([false, false, 0])
  await input(field).click()
  await expect(part(field, 'option')).toHaveCount(5)
})

for (const [what, act] of [
  ['disabled', (element: Element) => element.setAttribute('disabled', '')],
  [
    'disabled by its fieldset',
    (element: Element) => element.closest('fieldset')!.setAttribute('disabled', ''),
  ],
  ['switched to read mode', (element: Element) => element.setAttribute('mode', 'read')],
] as const)
  test(`${what} while open, it closes`, async ({ lookup }) => {
    const field = await lookup.show(`<fieldset>${edit()}</fieldset>`)
    await input(field).click()
    await expect(part(field, 'option')).toHaveCount(5)
    await field.evaluate(act)
    await expect.poll(() => isOpen(field)).toBe(false)
  })

test('disabled, the trigger of read mode stays, and changes nothing', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show('<svc-lookup-field disabled value="p1" display="Ada"></svc-lookup-field>')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(part(field, 'link')).toBeVisible()
  await expect(part(field, 'combo')).toBeHidden()
})

test('a record that cannot be created, or is not returned, changes nothing', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit('value="p1" display="Ada"'), 'none')
  await page.evaluate(() => {
    document.querySelector('svc-lookup-field')!.search = (query) => [
      {
        value: '',
        label: `Fail ${query}`,
        make: () => {
          window.queries.push(query)
          return Promise.reject(new Error('no'))
        },
      },
      { value: '', label: 'Nothing', make: () => null },
    ]
  })
  await input(field).click()
  await page.keyboard.type('zoe')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(line(field)).toHaveText('It was not created. Try again')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => window.queries)).toEqual(['zoe', 'zoe'])
  await expect(line(field)).toHaveText('It was not created. Try again')
  await page.keyboard.type('y')
  await part(field, 'option').getByText('Nothing').click()
  await expect.poll(() => isOpen(field)).toBe(false)
  expect([await lookup.events(), await field.getAttribute('value')]).toEqual([[], 'p1'])
})

test('a failed page of results is reported below them, and requested again with keys and with a press', async ({
  lookup,
}) => {
  const { page } = lookup
  const field = await lookup.show(edit(), 'none')
  await page.evaluate(() => {
    let failures = 2
    document.querySelector('svc-lookup-field')!.search = (_query, { cursor }) => {
      if (cursor !== undefined && failures > 0) {
        failures -= 1
        throw new Error('no page')
      }
      const from = cursor === undefined ? 0 : 3
      return {
        options: [0, 1, 2].map((at) => ({ value: `${from + at}`, label: `Row ${from + at}` })),
        next: cursor === undefined ? 'more' : null,
        total: 2,
      }
    }
  })
  await input(field).click()
  const foot = field.locator('.foot')
  await expect(foot).toHaveText('The search failed. Try again')
  await page.keyboard.press('ArrowUp')
  await expect(field.locator('[aria-selected=true]')).toHaveText('Row 2')
  await foot.click()
  await expect(part(field, 'option')).toHaveCount(6)
  // A total below the number of received rows is ignored.
  await expect(part(field, 'option').last()).toHaveAttribute('aria-setsize', '6')
})
