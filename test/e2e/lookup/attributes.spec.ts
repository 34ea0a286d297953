// Every attribute, property, part and event of the element, as tables (docs/reference/lookup-field.md).
import type { Locator } from '@playwright/test'
import { expect, input, isOpen, part, test, testInOwnPage, type LookupPage } from '../support/lookup-page.ts'

const edit = (more = ''): string => `<svc-lookup-field mode="edit" ${more}></svc-lookup-field>`

type Check = (field: Locator, lookup: LookupPage) => Promise<void>
const visible =
  (name: string, text?: string): Check =>
  async (field) => {
    await expect(part(field, name)).toBeVisible()
    if (text !== undefined) await expect(part(field, name)).toHaveText(text)
  }

const attributes: [what: string, markup: string, check: Check][] = [
  ['mode: read by default', '<svc-lookup-field display="Ada"></svc-lookup-field>', visible('link', 'Ada')],
  [
    'mode: anything else is read',
    '<svc-lookup-field mode="EDIT" display="Ada"></svc-lookup-field>',
    visible('link'),
  ],
  ['mode: edit draws the typeahead', edit(), visible('combo')],
  [
    'value: without a name the id is shown',
    '<svc-lookup-field value="p7"></svc-lookup-field>',
    visible('link', 'p7'),
  ],
  [
    'display: what edit mode holds',
    edit('value="p7" display="Ada"'),
    async (field) => expect(input(field)).toHaveValue('Ada'),
  ],
  [
    'href: the target of the link',
    '<svc-lookup-field value="p1" display="Ada" href="/people/p1"></svc-lookup-field>',
    async (field) => {
      await expect(field.getByRole('link', { name: 'Ada' })).toHaveAttribute('href', '/people/p1')
    },
  ],
  [
    'href: one that would run a script is ignored',
    '<svc-lookup-field value="p1" display="Ada" href="javascript:alert(1)"></svc-lookup-field>',
    async (field) => expect(field.getByRole('link')).toHaveCount(0),
  ],
  [
    'href: if unset, the name can be focused and starts editing',
    '<svc-lookup-field label="Author" value="p1" display="Ada"></svc-lookup-field>',
    async (field, { page }) => {
      await page.keyboard.press('Tab')
      const trigger = field.getByRole('button', { name: 'Author Ada' })
      await expect(trigger).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(input(field)).toBeFocused()
      await expect.poll(() => isOpen(field)).toBe(true)
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await expect(trigger).toBeFocused()
    },
  ],
  [
    'label: above, and a press on it goes to the input',
    edit('label="Author"'),
    async (field) => {
      await part(field, 'label').click()
      await expect(input(field)).toBeFocused()
      await expect(field.getByRole('combobox', { name: 'Author', exact: true })).toBeVisible()
    },
  ],
  [
    'placeholder: Search… by default',
    edit(),
    async (field) => expect(input(field)).toHaveAttribute('placeholder', 'Search…'),
  ],
  [
    'placeholder: the hint',
    edit('placeholder="Who?"'),
    async (field) => expect(input(field)).toHaveAttribute('placeholder', 'Who?'),
  ],
  [
    'placeholder: in read mode if nothing is linked',
    '<svc-lookup-field placeholder="Nobody"></svc-lookup-field>',
    visible('link', 'Nobody'),
  ],
  ['placeholder: an em dash if it is omitted', '<svc-lookup-field></svc-lookup-field>', visible('link', '—')],
  [
    'required: an asterisk beside the label',
    edit('label="Author" required'),
    async (field) => {
      await expect(part(field, 'label')).toContainText('*')
      await expect(input(field)).toHaveAttribute('aria-required', 'true')
    },
  ],
  [
    'disabled: greyed, and refuses focus',
    edit('disabled value="p1" display="Ada"'),
    async (field, { page, queries }) => {
      await field.evaluate((element) => element.focus())
      await input(field).click({ force: true })
      await page.keyboard.press('Tab')
      await expect(input(field)).toBeDisabled()
      await expect(part(field, 'clear')).toBeHidden()
      expect(await field.evaluate((element) => element === document.activeElement)).toBe(false)
      expect(await queries()).toEqual([])
    },
  ],
  [
    'disabled: no effect on read mode',
    '<svc-lookup-field disabled value="p1" display="Ada" href="/p1"></svc-lookup-field>',
    async (field, { page }) => {
      await page.keyboard.press('Tab')
      await expect(field.getByRole('link', { name: 'Ada' })).toBeFocused()
    },
  ],
  [
    'message: muted helper text, announced with the input',
    edit('label="Author" message="Who wrote it."'),
    async (field) => {
      await expect(part(field, 'message')).toHaveText('Who wrote it.')
      await expect(field.getByRole('combobox')).toHaveAccessibleDescription('Who wrote it.')
    },
  ],
  [
    'invalid: a red outline and a red reason, marked for all',
    edit('label="Author" invalid message="Left in 1843."'),
    async (field) => {
      await expect(input(field)).toHaveAttribute('aria-invalid', 'true')
      const colour = (name: string, property: string): Promise<string> =>
        part(field, name).evaluate((element, of) => getComputedStyle(element).getPropertyValue(of), property)
      expect(await colour('message', 'color')).toBe(await colour('combo', 'border-top-color'))
    },
  ],
  [
    'inline: no box, no label, no message; the name is kept for all',
    edit('inline label="Author" message="Help"'),
    async (field) => {
      await expect(part(field, 'label')).toBeHidden()
      await expect(part(field, 'message')).toBeHidden()
      await expect(field.getByRole('combobox', { name: 'Author' })).toBeVisible()
      const top = await part(field, 'combo').evaluate((element) => getComputedStyle(element).borderTopWidth)
      expect(top).toBe('0px')
    },
  ],
  [
    'match-fields and display-fields: handed to the source; drawn in the order given',
    edit('match-fields="name, field" display-fields="field ,born"'),
    async (field, { page }) => {
      await input(field).click()
      await page.keyboard.type('ada')
      await expect(part(field, 'option')).toHaveText(['Ada Lovelace analysis, 1815'])
      const last = await page.evaluate(() => window.requests.at(-1))
      expect(last).toEqual({ matchFields: ['name', 'field'], displayFields: ['field', 'born'] })
    },
  ],
  [
    'match-fields: unset leaves the decision to the source',
    edit(),
    async (field, { page }) => {
      await input(field).click()
      expect(await page.evaluate(() => window.requests[0])).toEqual({ matchFields: [], displayFields: [] })
    },
  ],
  [
    'min-chars: 0 by default, an empty box asks at once',
    edit(),
    async (field, { queries }) => {
      await input(field).click()
      expect(await queries()).toEqual([''])
    },
  ],
  [
    'min-chars: below it the list shows how many are needed',
    edit('min-chars="3" search-delay="0"'),
    async (field, { page, queries }) => {
      await input(field).click()
      await expect(part(field, 'listbox')).toHaveText('Type 3 more characters')
      await page.keyboard.type('ad')
      await expect(part(field, 'listbox')).toHaveText('Type 1 more character')
      expect(await queries()).toEqual([])
      await page.keyboard.type('a')
      await expect(part(field, 'option')).toHaveText(['Ada Lovelace'])
    },
  ],
  [
    'min-chars: a value that is not a number is 0',
    edit('min-chars="some"'),
    async (field, { queries }) => {
      await input(field).click()
      expect(await queries()).toEqual([''])
    },
  ],
]

for (const [what, markup, check] of attributes)
  test(what, async ({ lookup }) => check(await lookup.show(markup), lookup))

testInOwnPage(
  'search-delay: 150 ms after the last keystroke, and the source is called once',
  async ({ lookup }) => {
    const { page } = lookup
    await page.clock.install({ time: 0 })
    await page.clock.pauseAt(1000)
    const field = await lookup.show(edit())
    await input(field).click()
    await lookup.queries()
    await page.keyboard.type('al')
    await page.clock.runFor(149)
    await page.keyboard.type('a')
    await page.clock.runFor(149)
    expect(await lookup.queries()).toEqual([])
    await page.clock.runFor(1)
    expect(await lookup.queries()).toEqual(['ala'])
    await field.evaluate((element) => element.setAttribute('search-delay', '500'))
    await page.keyboard.type('n')
    await page.clock.runFor(499)
    expect(await lookup.queries()).toEqual([])
    await page.clock.runFor(1)
    expect(await lookup.queries()).toEqual(['alan'])
  },
)

test('a source of one argument works, and an explicit second line is kept', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit('display-fields="a"'), 'none')
  await field.evaluate((element) => {
    const field = element as HTMLElement & { search: unknown }
    field.search = (query: string) => [
      { value: '1', label: `One ${query}`, fields: { a: 'A' } },
      { value: '2', label: 'Two', sublabel: 'its own', fields: { a: 'A' } },
    ]
  })
  await input(field).click()
  await page.keyboard.type('x')
  await expect(part(field, 'option')).toHaveText(['One x A', 'Two its own'])
})

test('value and display are properties too, reflected and removed', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit('search-delay="0" href="/old"'))
  const facts = (): Promise<unknown> =>
    field.evaluate((element) => {
      const { value, display } = element as HTMLElement & { value: string | null; display: string | null }
      return [value, display, ...['value', 'display', 'href'].map((name) => element.getAttribute(name))]
    })
  await field.evaluate((element) => Object.assign(element, { value: 'p9', display: 'Nine' }))
  expect(await facts()).toEqual(['p9', 'Nine', 'p9', 'Nine', '/old'])
  await input(field).fill('grace')
  await page.keyboard.press('Enter')
  expect(await facts()).toEqual(['p3', 'Grace Hopper', 'p3', 'Grace Hopper', '/people/p3'])
  await part(field, 'clear').click()
  expect(await facts()).toEqual([null, null, null, null, null])
})

test('every part exists', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(edit('label="Author" message="Help" value="p1" display="Ada"'))
  await input(field).click()
  await expect(part(field, 'option').first()).toBeVisible()
  const names = await field.evaluate((element) =>
    [
      ...new Set(
        [...element.shadowRoot!.querySelectorAll('[part]')].map((each) => each.getAttribute('part')),
      ),
    ].sort(),
  )
  expect(names).toEqual(['clear', 'combo', 'icon', 'input', 'label', 'link', 'listbox', 'message', 'option'])
  await page.keyboard.press('Escape')
})

const tokens: [token: string, value: string, where: string, property: string, drawn: string][] = [
  ['--svc-font', 'monospace', '[part=input]', 'font-family', 'monospace'],
  ['--svc-text-body', '21px', '[part=input]', 'font-size', '21px'],
  ['--svc-text-row', '19px', '[part=option]', 'font-size', '19px'],
  ['--svc-space-1', '7px', '[part=listbox]', 'padding-top', '7px'],
  ['--svc-space-2', '9px', '[part=combo]', 'padding-left', '9px'],
  ['--svc-space-3', '13px', '[part=option]', 'padding-left', '13px'],
  ['--svc-space-4', '17px', '[part=icon]', 'width', '15px'],
  ['--svc-space-5', '25px', '[part=clear]', 'width', '25px'],
  ['--svc-radius', '6px', '[part=combo]', 'border-top-left-radius', '6px'],
  ['--svc-radius-sm', '3px', '[part=clear]', 'border-top-left-radius', '3px'],
  ['--svc-color-border', 'rgb(1, 2, 3)', '[part=listbox]', 'border-top-color', 'rgb(1, 2, 3)'],
  [
    '--svc-color-border-strong',
    'rgb(1, 2, 3)',
    '[part=combo]:not(:focus-within)',
    'border-top-color',
    'rgb(1, 2, 3)',
  ],
  ['--svc-color-surface', 'rgb(1, 2, 3)', '[part=combo]', 'background-color', 'rgb(1, 2, 3)'],
  ['--svc-color-text', 'rgb(1, 2, 3)', '[part=input]', 'color', 'rgb(1, 2, 3)'],
  ['--svc-color-text-muted', 'rgb(1, 2, 3)', '[part=message]', 'color', 'rgb(1, 2, 3)'],
  ['--svc-color-danger', 'rgb(1, 2, 3)', '.star', 'color', 'rgb(1, 2, 3)'],
  [
    '--svc-shadow-float',
    'rgb(1, 2, 3) 0px 0px 5px 0px',
    '[part=listbox]',
    'box-shadow',
    'rgb(1, 2, 3) 0px 0px 5px 0px',
  ],
  ['--svc-color-accent', 'rgb(1, 2, 3)', '[part=combo]:focus-within', 'border-top-color', 'rgb(1, 2, 3)'],
  ['--svc-color-accent-strong', 'rgb(1, 2, 3)', 'b', 'color', 'rgb(1, 2, 3)'],
  ['--svc-accent-wash', 'rgb(1, 2, 3)', '[aria-selected=true]', 'background-color', 'rgb(1, 2, 3)'],
  [
    '--svc-focus-ring',
    'rgb(1, 2, 3) 0px 0px 0px 5px',
    '[part=combo]:focus-within',
    'box-shadow',
    'rgb(1, 2, 3) 0px 0px 0px 5px',
  ],
]
test('the element is drawn with its tokens', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(
    `${edit('label="Author" required message="Help" search-delay="0"')}${edit('disabled')}`,
  )
  await input(field).click()
  await page.keyboard.type('ada')
  await expect(part(field, 'option').locator('b')).toHaveText('Ada')
  for (const [token, value, where, property, drawn] of tokens) {
    const got = await field.evaluate(
      (element, [of, to, target, what]) => {
        const inner = element.shadowRoot!.activeElement as HTMLElement | null
        const still = target.includes(':not(')
        // Another field without the focus, so that this list stays open.
        const root = still ? element.nextElementSibling!.shadowRoot! : element.shadowRoot!
        const host = root.host as HTMLElement
        if (still) host.removeAttribute('disabled')
        host.style.setProperty(of, to)
        const value = getComputedStyle(root.querySelector(target)!).getPropertyValue(what)
        host.style.removeProperty(of)
        if (still) host.setAttribute('disabled', '')
        inner?.focus()
        return value
      },
      [token, value, where, property] as const,
    )
    expect([token, got]).toEqual([token, drawn])
  }
  // The background of a disabled field.
  const ground = await field.evaluate((element) => {
    const off = element.nextElementSibling as HTMLElement
    off.style.setProperty('--svc-color-surface-2', 'rgb(1, 2, 3)')
    return getComputedStyle(off.shadowRoot!.querySelector('[part=combo]')!).backgroundColor
  })
  expect(ground).toBe('rgb(1, 2, 3)')
})
