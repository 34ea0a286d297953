// The scenarios of "Editable Combobox With List Autocomplete" of the WAI-ARIA Authoring Practices: keys, roles, states.
// If the outcome differs, docs/lookup-accessibility.md gives the reason.
import type { Locator } from '@playwright/test'
import { expect, input, isOpen, part, test } from '../support/lookup-page.ts'

const markup =
  '<svc-lookup-field mode="edit" label="Author" search-delay="0"></svc-lookup-field><button>Next</button>'

interface After {
  open: boolean
  /** Name of the active option. */
  active: string | null
  /** The text in the box. */
  box: string
  value: string | null
  /** Position of the caret. */
  caret?: number
}

/** Keys after Tab and Escape (the field focused and closed), with the list of the five people. */
const scenarios: [what: string, keys: string[], after: After][] = [
  ['Down Arrow, closed: opens', ['ArrowDown'], { open: true, active: null, box: '', value: null }],
  [
    'Down Arrow, open: the first option, then the next',
    ['ArrowDown', 'ArrowDown', 'ArrowDown'],
    { open: true, active: 'Alan Turing', box: '', value: null },
  ],
  [
    'Down Arrow on the last: round to the first',
    ['ArrowDown', 'ArrowUp', 'ArrowDown'],
    { open: true, active: 'Ada Lovelace', box: '', value: null },
  ],
  ['Up Arrow, closed: opens', ['ArrowUp'], { open: true, active: null, box: '', value: null }],
  [
    'Up Arrow, open: the last option',
    ['ArrowUp', 'ArrowUp'],
    { open: true, active: 'Élodie Marchand', box: '', value: null },
  ],
  [
    'Up Arrow on the first: round to the last',
    ['ArrowDown', 'ArrowDown', 'ArrowUp'],
    { open: true, active: 'Élodie Marchand', box: '', value: null },
  ],
  [
    'Alt + Down Arrow: opens, and no option is active',
    ['Alt+ArrowDown'],
    { open: true, active: null, box: '', value: null },
  ],
  [
    'Alt + Up Arrow: closes, the focus stays',
    ['ArrowDown', 'ArrowDown', 'Alt+ArrowUp'],
    { open: false, active: null, box: '', value: null },
  ],
  [
    'Enter: the active option is taken and the list closes, the caret at the end',
    ['ArrowDown', 'ArrowDown', 'Enter'],
    { open: false, active: null, box: 'Ada Lovelace', value: 'p1', caret: 12 },
  ],
  [
    'Enter with no active option: nothing is taken',
    ['ArrowDown', 'Enter'],
    { open: false, active: null, box: '', value: null },
  ],
  [
    'Escape, open: closes and takes nothing',
    ['ArrowDown', 'ArrowDown', 'Escape'],
    { open: false, active: null, box: '', value: null },
  ],
  [
    'Escape, closed: what was typed is gone',
    ['g', 'r', 'Escape', 'Escape'],
    { open: false, active: null, box: '', value: null },
  ],
  [
    'letters: the list filters, and the first match is active',
    ['g', 'r'],
    { open: true, active: 'Grace Hopper', box: 'gr', value: null },
  ],
  ['letters that find nothing', ['q', 'q'], { open: true, active: null, box: 'qq', value: null }],
  [
    'Backspace: filters again',
    ['g', 'r', 'Backspace', 'Backspace'],
    { open: true, active: null, box: '', value: null },
  ],
  [
    'Left Arrow: the caret moves, the list stays',
    ['g', 'r', 'ArrowLeft'],
    { open: true, active: 'Grace Hopper', box: 'gr', value: null, caret: 1 },
  ],
  [
    'Right Arrow: the caret moves, the list stays',
    ['g', 'r', 'Home', 'ArrowRight'],
    { open: true, active: 'Grace Hopper', box: 'gr', value: null, caret: 1 },
  ],
  [
    'Home: the caret goes to the beginning',
    ['g', 'r', 'ArrowDown', 'Home'],
    { open: true, active: 'Grace Hopper', box: 'gr', value: null, caret: 0 },
  ],
  [
    'End: the caret goes to the end',
    ['g', 'r', 'Home', 'End'],
    { open: true, active: 'Grace Hopper', box: 'gr', value: null, caret: 2 },
  ],
  [
    'letters while an option is active go into the box',
    ['g', 'ArrowDown', 'r'],
    { open: true, active: 'Grace Hopper', box: 'gr', value: null },
  ],
  [
    'Delete: at the caret, and filters again',
    ['g', 'x', 'ArrowLeft', 'Delete'],
    { open: true, active: 'Grace Hopper', box: 'g', value: null, caret: 1 },
  ],
]

for (const [what, keys, after] of scenarios)
  test(what, async ({ lookup }) => {
    const { page } = lookup
    const field = await lookup.show(markup)
    await page.keyboard.press('Tab')
    await expect.poll(() => isOpen(field)).toBe(true)
    await page.keyboard.press('Escape')
    for (const key of keys) await page.keyboard.press(key)
    await expect.poll(() => state(field)).toEqual({ caret: expect.any(Number) as unknown, ...after })
    await expect(input(field)).toBeFocused()
  })

async function state(field: Locator): Promise<After> {
  return field.evaluate((element) => {
    const { open, value } = element as unknown as { open: boolean; value: string | null }
    const root = element.shadowRoot!
    const box = root.querySelector('input')!
    const id = box.getAttribute('aria-activedescendant')
    const active = id === null ? null : root.getElementById(id)!.textContent
    return { open, active, box: box.value, value, caret: box.selectionStart ?? -1 }
  })
}

test('Tab: leaves, closes and selects nothing', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(markup)
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Next' })).toBeFocused()
  expect(await state(field)).toMatchObject({ open: false, active: null, box: '', value: null })
})

test('a press on the box opens; a press on an option selects it and the focus stays in the box', async ({
  lookup,
}) => {
  const field = await lookup.show(markup)
  await input(field).click()
  await expect.poll(() => isOpen(field)).toBe(true)
  await part(field, 'option').nth(2).click()
  expect(await state(field)).toMatchObject({ open: false, box: 'Grace Hopper', value: 'p3' })
  await expect(input(field)).toBeFocused()
})

test('roles, states and properties: closed, open, and with an active option', async ({ lookup }) => {
  const { page } = lookup
  const field = await lookup.show(markup)
  const ariaState = (): Promise<Record<string, string | null>> =>
    input(field).evaluate((box) => {
      const root = box.getRootNode() as ShadowRoot
      const names = ['role', 'aria-autocomplete', 'aria-expanded', 'aria-activedescendant']
      const list = root.getElementById(box.getAttribute('aria-controls')!)
      return {
        ...Object.fromEntries(names.map((name) => [name, box.getAttribute(name)])),
        controls: list!.getAttribute('role'),
        label: list!.getAttribute('aria-label'),
      }
    })
  const always = {
    role: 'combobox',
    'aria-autocomplete': 'list',
    controls: 'listbox',
    label: 'Author',
  }
  expect(await ariaState()).toEqual({ ...always, 'aria-expanded': 'false', 'aria-activedescendant': null })
  await page.keyboard.press('Tab')
  await expect(part(field, 'option')).toHaveCount(5)
  expect(await ariaState()).toEqual({ ...always, 'aria-expanded': 'true', 'aria-activedescendant': null })
  await page.keyboard.press('ArrowDown')
  const active = field.locator('[role=option][aria-selected=true]')
  await expect(active).toHaveCount(1)
  expect((await ariaState())['aria-activedescendant']).toBe(await active.getAttribute('id'))
  await expect(field.locator('[role=option][aria-selected=false]')).toHaveCount(4)
  await expect(input(field)).toHaveAccessibleName('Author')
})

test('the input is the only tab stop: Tab closes the list and leaves; Alt+Delete does what Clear does', async ({
  lookup,
}) => {
  const { page } = lookup
  const field = await lookup.show(markup)
  await page.keyboard.press('Tab')
  await expect(input(field)).toBeFocused()
  await page.keyboard.type('a')
  const clear = field.getByRole('button', { name: 'Clear Author' })
  await expect(clear).toHaveAttribute('aria-keyshortcuts', 'Alt+Delete')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Next' })).toBeFocused()
  expect(await state(field)).toMatchObject({ open: false, box: '', value: null })
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.type('gra')
  await expect(part(field, 'option')).toHaveText(['Grace Hopper'])
  await page.keyboard.press('Enter')
  expect(await state(field)).toMatchObject({ box: 'Grace Hopper', value: 'p3' })
  await lookup.events()
  await page.keyboard.press('Alt+Delete')
  await expect(input(field)).toBeFocused()
  expect(await state(field)).toMatchObject({ open: false, box: '', value: null })
  expect(await lookup.events()).toEqual([['svc-lookup-clear', null]])
})
