// The placement next to the gallery: new or of a stored layout, where it is saved and its conflicts are resolved as the
// layout's page does.
import type { Locator, Page } from '@playwright/test'
import { customer, draftOf, draftRow, field, keepDraft, layLayout, layout, top } from '../support/layout.ts'
import { expect, test, type Studio } from '../support/test.ts'
import { visit } from '../support/visit.ts'

const inputs = { mode: 'edit', label: 'Customer' }
const controls = (page: Page): Locator => page.getByRole('region', { name: 'Attributes of the field' })
const knob = (page: Page, name: string): Locator => controls(page).getByLabel(name, { exact: true })
const faults = (page: Page): Locator => page.getByRole('region', { name: 'Findings of the placement' })
const drawn = (page: Page): Locator => page.getByRole('region', { name: 'Preview' })
const banner = (page: Page): Locator => page.locator('.banner[role=alert]')
const text = (page: Page): Locator => page.locator('.placetext')
const praise = 'every input is an attribute'
const pretty = (value: unknown): string => JSON.stringify(value, null, 2)

/** The stored layout, at its second section. */
async function open({ page, url }: Studio, section = 1): Promise<void> {
  await page.goto(`${url}/lookup?source=large&view=placement&layout=invoice_page&section=${section}`)
}
const wordKey = process.platform === 'darwin' ? 'Alt' : 'Control'
/** Selects a word of the text. A busy machine is too slow for what Monaco accepts as a double-click. */
async function select(page: Page, word: Locator): Promise<void> {
  await word.click()
  await page.keyboard.press(`${wordKey}+ArrowLeft`)
  await page.keyboard.press(`${wordKey}+Shift+ArrowRight`)
}
/** Replaces the last occurrence of a word of the text by typing. */
async function retype(page: Page, word: string, to: string): Promise<void> {
  await select(page, text(page).locator('.view-line').getByText(`"${word}"`, { exact: true }).last())
  await page.keyboard.type(to)
  await expect(text(page)).toContainText(`"${to}"`)
}
/** The field in the draft's last section. */
const drafted = async (studio: Studio): Promise<unknown> => {
  const body = (await draftOf(studio))?.body as { sections: { items: { inputs: unknown }[] }[] } | undefined
  return body?.sections.at(-1)?.items.at(-1)?.inputs
}
/** Another window's text arrives just before this one saves. */
const keptFirst = (studio: Studio, theirs: string): Promise<unknown> =>
  studio.page.route(
    '**/setup/v3/drafts/**',
    async (route) => {
      await keepDraft(studio, theirs)
      await route.continue()
    },
    { times: 1 },
  )

test.beforeEach(() => test.setTimeout(120_000))

test('a placement is validated as it is typed and set by the controls', async ({ studio }) => {
  const { page } = studio
  await page.goto(`${studio.url}/lookup?source=large&mode=edit&label=Customer`)
  await page.getByRole('button', { name: 'Placement' }).click()
  await page.locator('.placetext .view-line').first().waitFor()
  await expect(faults(page)).toContainText('1 item: every input is an attribute')
  await knob(page, 'minChars').fill('3')
  await expect(text(page)).toContainText('"minChars": 3')
  await expect(drawn(page).locator('svc-lookup-field')).toHaveAttribute('min-chars', '3')
  await retype(page, 'label', 'lable')
  await retype(page, 'mode', 'search')
  await expect(faults(page)).toContainText('"lable" is not an input of lookup_field. Did you mean "label"?')
  await expect(faults(page)).toContainText('it is a function, which the page provides')
  await expect(page.locator('.placetext .squiggly-error').first()).toBeVisible()
  // The typed text is shown again.
  await page.reload()
  await expect(faults(page)).toContainText('Did you mean "label"?')
  await page.getByRole('button', { name: 'Copy the live field' }).click()
  await expect(faults(page)).toContainText('1 item: every input is an attribute')
})

test("a placement shows the server's findings, stored or not; a press shows the place", async ({
  studio,
}) => {
  const { page } = studio
  const noted = (written: string): string => written.replace('"label": "Customer"', '$& /* note */')
  const comment = /not valid JSON: at line \d+, column \d+ there is a comment, which JSON does not allow/
  const faultWith = (words: RegExp | string): Locator =>
    faults(page).getByRole('button').filter({ hasText: words })
  await layLayout(studio, top, customer(inputs))
  await keepDraft(studio, pretty(layout({ ...top, items: [{ ...top.items[0], key: 'nmber' }] })))
  await open(studio, 0)
  await expect(faultWith('invoice has no field "nmber". Did you mean "number"?')).toHaveCount(1)
  await keepDraft(studio, noted(pretty(layout(customer(inputs)))))
  await expect(faultWith(comment)).toHaveCount(1)
  await expect(faults(page)).not.toContainText(praise)

  const section = (last: object): string => {
    const items = Array.from({ length: 60 }, (_, n) => ({ id: `f${n}`, type: 'field', key: 'number' }))
    return pretty({ id: 'main', section: 'Details', items: [...items, field('who', last)] })
  }
  const own = async (written: string): Promise<void> => {
    await page.evaluate((given) => sessionStorage.setItem('almanac.lookup.placement', given), written)
    await page.goto(`${studio.url}/lookup?source=large&view=placement`)
  }
  await own(noted(section(inputs)))
  await expect(faultWith(comment)).toHaveCount(1)
  await expect(faults(page)).not.toContainText(praise)
  await own(section(inputs).replace('"label"', '"label": "A", "label"'))
  await expect(faultWith('"label" occurs twice in the same object, again at line')).toHaveCount(1)
  await own(section({ ...inputs, message: null }))
  await expect(faultWith('"message" of lookup_field is text; null counts as omitted')).toHaveCount(1)
  await expect(faults(page)).not.toContainText(praise)
  await expect(text(page)).toContainText('"Details"')
  await expect(text(page)).not.toContainText('"message"')
  await faultWith('null counts').click()
  await expect(text(page)).toContainText('"message": null')
})

test('an edit of a stored placement is a draft of its layout, and its fault is in the review', async ({
  studio,
}) => {
  const { page } = studio
  await layLayout(studio, top, customer(inputs))
  await page.goto(`${studio.url}/lookup?view=placement`)
  await page.getByLabel('Placement', { exact: true }).selectOption('layout invoice_page')
  await page.getByLabel('Section', { exact: true }).selectOption('Customer')
  await expect(page).toHaveURL(/layout=invoice_page&section=1/)
  await knob(page, 'message').fill('Who pays')
  await expect.poll(() => drafted(studio)).toEqual({ ...inputs, message: 'Who pays' })
  await retype(page, 'label', 'lable')
  await expect(faults(page)).toContainText('"lable"')
  await expect.poll(() => drafted(studio)).toMatchObject({ lable: 'Customer' })
  // The field and back: the same place.
  await page.getByRole('button', { name: 'Field', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Live field' })).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Placement', exact: true }).click()
  await expect(page).toHaveURL(/layout=invoice_page&section=1/)
  await expect(faults(page)).toContainText('"lable"')
  await visit(page, `${studio.url}/changes`)
  await expect(page.getByText('"lable" is not an input of lookup_field').first()).toBeVisible()
})

test('the controls appear for what the URL names, and never for something else first', async ({ studio }) => {
  const { page } = studio
  await layLayout(studio, top, customer(inputs))
  await page.addInitScript(() => {
    const seen = new Set<string>()
    Object.assign(window, { seenHeads: seen })
    new MutationObserver(() => {
      const head = document.querySelector('aside[aria-label="Controls"] h2, [aria-label="Controls"] h2')
      if (head !== null) seen.add(head.textContent ?? '')
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })
  await open(studio)
  await expect(knob(page, 'label')).toHaveValue('Customer')
  expect(await page.evaluate(() => [...(window as unknown as { seenHeads: Set<string> }).seenHeads])).toEqual(
    ['Inputs'],
  )
})

test('a section that does not exist is reported and never written', async ({ studio }) => {
  const { page } = studio
  await layLayout(studio, top, customer(inputs))
  await open(studio, 12345)
  await expect(banner(page)).toContainText('The layout has 2 sections, but none at 12346.')
  await open(studio, 5)
  await expect(banner(page)).toContainText('The layout has 2 sections, but none at 6.')
  await expect(controls(page)).toContainText('This section does not exist.')
  await expect(controls(page).getByRole('textbox')).toHaveCount(0)
  await expect(faults(page)).not.toContainText(praise)
  await page.getByRole('button', { name: 'Show the first' }).click()
  await expect(page.getByLabel('Section', { exact: true })).toHaveValue('0')
  expect(await draftRow(studio)).toBeUndefined()
})

test('a section stays the chosen one when another window adds one, and its removal is reported', async ({
  studio,
}) => {
  const { page } = studio
  await layLayout(studio, top, customer(inputs))
  await open(studio)
  await expect(knob(page, 'label')).toHaveValue('Customer')
  await keepDraft(studio, pretty(layout({ ...top, id: 'new' }, top, customer(inputs))))
  await expect(page).toHaveURL(/section=2/)
  await knob(page, 'message').fill('Who pays')
  await expect.poll(() => drafted(studio)).toEqual({ ...inputs, message: 'Who pays' })
  const others = layout(top, { id: 'other', section: 'Other', items: [field('whose', { label: 'Whose' })] })
  await keepDraft(studio, pretty(others))
  await expect(banner(page)).toContainText('The section “main” is no longer in the layout.')
  await expect(controls(page).getByRole('textbox')).toHaveCount(0)
  expect(await draftOf(studio)).toEqual(others)
})

test('two windows at one input: both are shown, one is chosen, and later edits are saved', async ({
  studio,
}) => {
  const { page } = studio
  await layLayout(studio, top, customer(inputs))
  await open(studio)
  const theirs = layout(top, customer({ ...inputs, message: 'Theirs' }))
  await keptFirst(studio, pretty(theirs))
  await knob(page, 'message').fill('Mine')
  await expect(banner(page)).toContainText('you were editing the same part')
  await expect(page.locator('.placebar .state')).toHaveText('two drafts')
  await expect(controls(page)).toContainText('There are two drafts of invoice_page.')
  await expect(knob(page, 'message')).toBeDisabled()
  await expect(page.getByRole('region', { name: 'Both texts' })).toContainText('Theirs')
  expect(await draftOf(studio)).toEqual(theirs)
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await expect.poll(() => drafted(studio)).toEqual({ ...inputs, message: 'Mine' })
  await knob(page, 'placeholder').fill('Any')
  await expect.poll(() => drafted(studio)).toEqual({ ...inputs, message: 'Mine', placeholder: 'Any' })
})

test('a draft that is not JSON is reported as such, and no control can set it', async ({ studio }) => {
  const { page } = studio
  await layLayout(studio, top, customer(inputs))
  const broken = pretty(layout(top, customer(inputs))).replace(/\}\s*$/, '')
  await keepDraft(studio, broken)
  await open(studio)
  await expect(faults(page)).toContainText('Not valid JSON, at line')
  await expect(faults(page)).not.toContainText(praise)
  await expect(drawn(page)).toContainText('Not valid JSON')
  await expect(controls(page)).toContainText('The text is not valid JSON')
  await text(page).locator('.view-line').first().click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('}')
  await expect(faults(page)).toContainText(praise)
  await knob(page, 'message').fill('Who pays')
  await expect.poll(async () => (await draftRow(studio))?.text).toContain('Who pays')
})

test('incomplete text survives a reload, the other view, and what another window writes', async ({
  studio,
}) => {
  const { page } = studio
  await layLayout(studio, top, customer(inputs))
  await open(studio)
  await select(page, text(page).locator('.view-line').getByText('"Customer"', { exact: true }).last())
  await page.keyboard.type('Half" typed')
  await expect(faults(page)).toContainText('Not valid JSON')
  await page.reload()
  await expect(text(page)).toContainText('Half" typed')
  await page.getByRole('button', { name: 'Field', exact: true }).click()
  await page.getByRole('button', { name: 'Placement', exact: true }).click()
  await expect(text(page)).toContainText('Half" typed')
  await expect.poll(async () => (await draftRow(studio))?.text).toContain('Half" typed')
  // Another window writes the same section while the text here is incomplete and not saved yet.
  await keptFirst(studio, JSON.stringify(layout(top, customer(inputs))))
  await select(page, text(page).locator('.view-line').getByText('typed').first())
  await page.keyboard.type('written')
  await expect(page.getByRole('region', { name: 'Both texts' })).toContainText('Half" written')
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await expect.poll(async () => (await draftRow(studio))?.text).toContain('Half" written')
})

test('a layout whose removal is drafted reports that, and stays removed until the user keeps it', async ({
  studio,
}) => {
  const { page } = studio
  await layLayout(studio, top, customer(inputs))
  await keepDraft(studio, null)
  await open(studio)
  await expect(page.getByText('This draft removes invoice_page.')).toBeVisible()
  await expect(page.locator('.placebar .state')).toHaveText('removal drafted')
  await expect(controls(page)).toContainText('The draft removes invoice_page.')
  await expect(knob(page, 'message')).toBeDisabled()
  expect((await draftRow(studio))?.text).toBeNull()
  await page.getByRole('button', { name: 'Keep component' }).click()
  await expect(faults(page)).toContainText(praise)
  expect(await draftRow(studio)).toBeUndefined()
})

test('a name that is written twice is reported, and its control sets the one that counts', async ({
  studio,
}) => {
  const { page } = studio
  await layLayout(studio, top, customer(inputs))
  const once = pretty(layout(top, customer(inputs)))
  await keepDraft(studio, once.replace('"label": "Customer"', '"label": "A", "label": "B"'))
  await open(studio)
  await expect(faults(page)).toContainText('"label" occurs twice in the same object')
  await expect(knob(page, 'label')).toHaveValue('B')
  await knob(page, 'label').fill('C')
  await expect(drawn(page).locator('svc-lookup-field')).toHaveAttribute('label', 'C')
  await expect.poll(async () => (await draftRow(studio))?.text).toMatch(/"label": "A",\s*"label": "C"/)
})

test('the controls set the selected field, even a second one; a value that is not a number stays as typed', async ({
  studio,
}) => {
  const { page } = studio
  const two = {
    ...{ id: 'main', section: 'Both' },
    items: [field('who', inputs), field('whom', { ...inputs, label: 'Whom', minChars: 3 })],
  }
  await layLayout(studio, two)
  await open(studio, 0)
  await drawn(page).getByRole('combobox', { name: 'Whom' }).click()
  await expect(knob(page, 'label')).toHaveValue('Whom')
  await page.keyboard.type('han')
  await drawn(page).locator('[part=option]').first().click()
  // What is chosen in the drawing is not saved.
  await expect(drawn(page).getByRole('combobox', { name: 'Whom' })).toHaveValue('')
  await expect(drawn(page).locator('svc-lookup-field').last()).not.toHaveAttribute('value')
  await knob(page, 'message').fill('Gets a copy')
  await expect.poll(() => drafted(studio)).toMatchObject({ label: 'Whom', message: 'Gets a copy' })
  const number = knob(page, 'minChars')
  for (const none of ['12.5', '.5', '99999999999999999999999', '-1']) {
    await number.click()
    await number.press('Control+A')
    await number.press('Backspace')
    await number.pressSequentially(none)
    await expect(number).toHaveValue(none)
    await expect(number).toHaveAttribute('aria-invalid', 'true')
  }
  await number.press('Tab')
  await expect(number).not.toHaveAttribute('aria-invalid')
  await number.fill('4')
  await expect.poll(() => drafted(studio)).toMatchObject({ minChars: 4 })
})
