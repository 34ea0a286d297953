// The main task in the studio: author, be refused, fix, review, apply, resolve, replay.
import type { Page } from '@playwright/test'
import { chooseFormAndJson } from './support/editor-view.ts'
import { layGround } from './support/ground.ts'
import { expect, test, type Studio } from './support/test.ts'
import { visit } from './support/visit.ts'

/** The state next to the component's name once all input is saved. */
const expectSaved = (page: Page): Promise<void> =>
  expect(page.locator('.phead .state')).toHaveText(/^(new draft|draft)$/)

async function begin(page: Page, type: string, key: string, label: string): Promise<void> {
  await page.getByRole('button', { name: 'New component' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(`^${type}`) })
    .click()
  await page.getByRole('textbox', { name: 'Key' }).fill(key)
  await page.getByRole('textbox', { name: 'Label' }).fill(label)
  await page.getByRole('button', { name: 'Create draft' }).click()
  await expect(page.getByRole('heading', { level: 1, name: key })).toBeVisible()
}

async function authorSet(page: Page): Promise<void> {
  await begin(page, 'configuration set', 'ship_rate', 'Shipping rate')
  const form = page.getByRole('region', { name: 'Form' })
  await form.getByLabel('Rows').selectOption('keyed')
  await form.getByLabel('Name', { exact: false }).first().fill('zone')
  await form.getByRole('group', { name: 'Business key' }).getByLabel('Type').selectOption('text')
  const fields = form.getByRole('group', { name: 'Fields', exact: true })
  await fields.getByRole('button', { name: 'Add', exact: true }).click()
  await fields.getByLabel('Key').fill('price')
  await fields.getByLabel('Type').selectOption('number')
  await fields.getByLabel('Digits').fill('8')
  await fields.getByLabel('Decimal places').fill('2')
  await fields.getByRole('checkbox', { name: 'Required' }).check()
  await expectSaved(page)
}

/** Unchecks the two drafts of Croatia, so that they stay drafts. */
async function leaveCroatia(page: Page): Promise<void> {
  const boxes = page.getByRole('checkbox', { name: /HR/ })
  await expect(boxes).toHaveCount(2)
  for (const box of await boxes.all()) await box.uncheck()
}

async function apply(page: Page, rationale: string): Promise<void> {
  await page.goto(new URL('/changes', page.url()).href)
  await page.getByRole('textbox', { name: 'Rationale' }).fill(rationale)
  await page.getByRole('button', { name: /^Apply \d+ change/ }).click()
  await expect(page.getByRole('status').filter({ hasText: 'is active' })).toBeVisible()
}

test('authors a set, an entry and a flag, sees a refused apply, reviews, applies, resolves and replays', async ({
  studio,
}) => {
  test.setTimeout(120_000)
  const { page } = studio
  await chooseFormAndJson(page)
  await page.goto(studio.url)
  await authorSet(page)
  // Form and text are in step: a choice in the form appears in the JSON, and an edit of the JSON appears in the form.
  await expect(page.locator('.view-lines')).toContainText('"cardinality"')

  await begin(page, 'configuration entry', 'ship_rate.eu', 'EU')
  const form = page.getByRole('region', { name: 'Form' })
  await form.getByLabel('Business key').fill('EU')
  await form.getByLabel('price').fill('4,9 %')
  await expectSaved(page)

  await begin(page, 'feature flag', 'fast_lane', 'Fast lane')
  await form.getByRole('combobox', { name: 'Owner' }).fill('user:admin')
  await form.getByLabel('Expires on').fill('2099-12-31')
  await expectSaved(page)

  // A percent sign in a number is refused beside its change, and the button shows that.
  await visit(page, `${studio.url}/changes`)
  await expect(page.getByRole('listitem').filter({ hasText: 'error blocks this' })).toBeVisible()
  await expect(page.locator('#apply')).toBeDisabled()
  await page.getByRole('link', { name: 'Go to the field' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'ship_rate.eu' })).toBeVisible()
  await page.getByRole('region', { name: 'Form' }).getByLabel('price').fill('4.90')
  await expectSaved(page)

  await apply(page, 'Shipping for the first zone')
  await expect(page.getByRole('region', { name: 'Applied' }).getByRole('table')).toContainText(
    'config_set/ship_rate',
  )

  await visit(page, `${studio.url}/playground?set=ship_rate&key=EU`)
  const resolution = page.getByRole('region', { name: 'Resolution' })
  await expect(resolution.getByRole('status')).toContainText('4.90')
  await page.getByRole('region', { name: 'Expression' }).locator('.view-lines').click()
  await page.keyboard.type('amount * config.ship_rate("EU").price')
  await expect(page.getByText('Result type: ')).toBeVisible()
  await page.getByLabel('Label').fill('Parcel 1')
  await page.getByRole('button', { name: 'Evaluate and store' }).dblclick()
  // Without a label, another click stores nothing.
  await expect(page.getByLabel('Label')).toHaveValue('')
  expect((await studio.call<{ results: unknown[] }>('GET', '/setup/v3/results')).results).toHaveLength(1)
  await page.getByRole('link', { name: 'Replay or recompute it' }).click()
  await page.getByRole('button', { name: 'Replay vintage' }).click()
  await expect(page.getByText('Identical to what was stored')).toBeVisible()
  await page.getByRole('button', { name: 'Recompute now' }).click()
  await expect(page.getByText('Today’s configuration gives the same value.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'What made the difference' })).toBeHidden()

  // The price changes; the vintage still replays byte for byte, and recompute shows the cause of the difference.
  await visit(page, `${studio.url}/c/config_entry/ship_rate.eu`)
  await page.getByRole('region', { name: 'Form' }).getByLabel('price').fill('5.90')
  await expectSaved(page)
  await apply(page, 'Dearer fuel')
  await visit(page, `${studio.url}/results`)
  await page.getByRole('link', { name: 'Parcel 1' }).click()
  await page.getByRole('button', { name: 'Replay vintage' }).click()
  await expect(page.getByText('Identical to what was stored')).toBeVisible()
  await page.getByRole('button', { name: 'Recompute now' }).click()
  await expect(page.getByText('Today’s configuration gives a different value.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'What made the difference' })).toContainText(
    'ship_rate changed',
  )
})

test('form and text stay in step, both ways, and undo spans both', async ({ studio }) => {
  const { page } = studio
  await chooseFormAndJson(page)
  await layGround(studio)
  await page.goto(`${studio.url}/c/value_set/currency`)
  const label = page.getByRole('region', { name: 'Form' }).getByLabel('Label').first()
  const text = page.locator('.view-lines')
  await text.waitFor()
  await label.fill('Money')
  await expect(text).toContainText('"label": "Money"')
  await expectSaved(page)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(label).toHaveValue('Currency')
  await label.press('Control+Shift+z')
  await expect(label).toHaveValue('Money')
  await label.press('Control+z')
  await expect(label).toHaveValue('Currency')
  // The cursor goes before the last property, whose line begins with two spaces; the form has what is typed there too.
  await text.getByText('"label": "Currency"').click()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.type(' of an invoice')
  await expect(label).toHaveValue('Currency of an invoice')
  await expectSaved(page)
  // Over incomplete JSON the form shows what could last be read, and is inert until the text is fixed.
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('"')
  await expect(
    page.getByText(/^\s*The text is not valid JSON at line \d+, column \d+; fix it there or undo\.\s*$/),
  ).toBeVisible()
  await expect(label).toHaveValue('Currency of an invoice')
  await expect(label).toBeDisabled()
  await page.keyboard.press('Control+z')
  await expect(label).toBeEnabled()
})

test('undo from a field continues through a step that is not JSON', async ({ studio }) => {
  const { page } = studio
  await chooseFormAndJson(page)
  await layGround(studio)
  await page.goto(`${studio.url}/c/value_set/currency`)
  const label = page.getByRole('region', { name: 'Form' }).getByLabel('Label').first()
  const text = page.locator('.view-lines')
  await text.waitFor()
  await label.fill('Money')
  await text.getByText('"label": "Money"').click()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  // The quote is removed, and restored in a later step.
  await page.keyboard.press('Backspace')
  await expect(label).toBeDisabled()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('"')
  await expect(label).toBeEnabled()
  await label.focus()
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('Control+z')
  await expect(label).toHaveValue('Currency')
  await expect(label).toBeFocused()
})

test('completion works in the playground after a fresh load', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  await page.goto(`${studio.url}/playground`)
  // Only sets that exist are offered.
  await page.getByRole('combobox', { name: 'Set or flag' }).fill('vat')
  await expect(page.getByRole('option', { name: 'vat_rate' })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Set or flag' })).toHaveValue('vat_rate')
  await page.getByRole('region', { name: 'Expression' }).locator('.view-lines').click()
  await page.keyboard.type('config.')
  await page.keyboard.press('Control+Space')
  await expect(page.locator('.suggest-widget')).toContainText('vat_rate')
})

test('a draft survives a reload as typed, valid or not', async ({ studio }) => {
  const { page } = studio
  await chooseFormAndJson(page)
  await layGround(studio)
  await page.goto(`${studio.url}/c/value_set/currency`)
  await page.locator('.view-lines').click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('{ half typed ')
  await expectSaved(page)
  await page.reload()
  await expect(page.locator('.view-lines')).toContainText('{ half typed')
  const { drafts } = await studio.call<{ drafts: { id: string; text: string }[] }>('GET', '/setup/v3/drafts')
  expect(drafts.find(({ id }) => id === 'value_set/currency')?.text).toMatch(/^\{ half typed/)
})

test('a draft that cannot be read yet is left out, and the rest is applied', async ({ studio }) => {
  const { page } = studio
  const draft = (key: string, text: string) =>
    studio.call('PUT', `/setup/v3/drafts/value_set/${key}`, { text, version: 0 })
  await draft('aaa', '{ half typed')
  const values = [{ key: 'a', label: 'A' }]
  await draft('bbb', JSON.stringify({ type: 'value_set', key: 'bbb', label: 'Bees', body: { values } }))
  await page.goto(`${studio.url}/changes`)
  const unread = page.getByRole('region', { name: 'Drafts that cannot be read yet' })
  await expect(unread).toContainText('is not valid JSON')
  await expect(unread.getByRole('link', { name: 'Open value_set/aaa' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Findings elsewhere' })).toBeHidden()
  const box = unread.getByRole('checkbox', { name: 'value_set/aaa' })
  await expect(box).not.toBeChecked()
  const go = page.getByRole('button', { name: 'Apply 1 change' })
  await expect(go).toBeEnabled()

  await box.check()
  await expect(page.getByRole('listitem').filter({ hasText: 'error blocks this' })).toBeVisible()
  await expect(go).toBeDisabled()
  await box.uncheck()

  await apply(page, 'The bees go first')
  const { drafts } = await studio.call<{ drafts: { id: string; text: string }[] }>('GET', '/setup/v3/drafts')
  expect(drafts).toMatchObject([{ id: 'value_set/aaa', text: '{ half typed' }])
  await expect(unread).toContainText('value_set/aaa')

  // The explorer marks it as invalid, and nothing else.
  await page.goto(`${studio.url}/?start`)
  await page.getByRole('button', { name: 'Invalid 1' }).click()
  await expect(page.getByRole('treeitem')).toHaveText([/aaa/])
})

test('the playground shows next to the field why a date is not valid', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  await page.goto(`${studio.url}/playground?set=vat_rate&key=DE&asOf=2021-02-30`)
  await expect(page.getByRole('region', { name: 'Resolution' })).toContainText('February 2021 has 28 days')
})

test('two windows on one draft: both texts are shown, none is lost', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  const other = await page.context().newPage()
  for (const each of [page, other]) {
    await each.goto(`${studio.url}/c/value_set/currency`)
    await each.getByRole('region', { name: 'Form' }).getByLabel('Label').first().waitFor()
  }
  await studio.call('PUT', '/setup/v3/drafts/value_set/currency', {
    text: '{ "type": "value_set", "key": "currency", "label": "Theirs", "body": { "values": [] } }',
    version: 0,
  })
  await page.getByRole('region', { name: 'Form' }).getByLabel('Label').first().fill('Mine')
  const both = page.getByRole('region', { name: 'Both texts' })
  await expect(page.locator('.phead .state')).toHaveText(/^(two drafts|new draft|draft)$/)
  // If the other window's event arrived first, the form shows their text and mine is typed over it: nothing to resolve.
  if (await both.isVisible()) {
    await expect(both).toContainText('Theirs')
    await expect(both).toContainText('Mine')
    await page.getByRole('button', { name: 'Keep mine' }).click()
  }
  await expectSaved(page)
})

test('a new value ends the current row, and a gap is fixed with a choice', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  await page.goto(`${studio.url}/c/config_set/vat_rate`)
  await expect(page.getByRole('row', { name: /2021-01-01/ })).toBeVisible()
  await page.getByRole('button', { name: 'New value from' }).click()
  await page.getByLabel('First day').fill('2027-01-01')
  await page.getByRole('dialog').getByLabel('Rate').fill('0.21')
  await expect(page.getByText('The current row ends on 31 Dec 2026')).toBeVisible()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByRole('grid')).toContainText('2026-12-31')

  await visit(page, `${studio.url}/changes`)
  await expect(page.getByText('31 Dec 2022').first()).toBeVisible()
  await page
    .getByRole('button', { name: /^Extend / })
    .first()
    .click()
  await expect(page.getByText('error blocks this')).toHaveCount(0)
  // Only selected changes are applied: Germany, but not Croatia.
  await leaveCroatia(page)
  await apply(page, 'Germany for 2027')
  await expect(page.getByRole('checkbox', { name: /HR/ })).toHaveCount(2)
  await visit(page, `${studio.url}/playground?set=vat_rate&key=DE&asOf=2027-01-01`)
  await expect(page.getByRole('region', { name: 'Resolution' }).getByRole('status')).toContainText('0.2100')
  await page.getByLabel('As of').fill('2026-12-31')
  await expect(page.getByRole('region', { name: 'Resolution' }).getByRole('status')).toContainText('0.1900')
  await page.getByLabel('As of').fill('1990-01-01')
  await expect(page.getByRole('region', { name: 'Resolution' }).getByRole('alert')).toContainText(
    'config.not_effective',
  )
})

test.describe('production', () => {
  test.use({ environment: 'prod' })

  test('requires the org’s name, and reverts', async ({ studio }) => {
    const { page } = studio
    await layGround(studio)
    await page.goto(`${studio.url}/c/feature_flag/split_payment`)
    await expect(page.locator('.env')).toHaveText('Production')
    await page.getByRole('checkbox', { name: 'Value for everyone' }).check()
    await expectSaved(page)
    await visit(page, `${studio.url}/changes`)
    await leaveCroatia(page)
    await expect(page.locator('#apply')).toBeDisabled()
    await page.getByLabel(/Type the name of the org/).fill('Kestrel')
    await page.getByRole('button', { name: 'Apply 1 change to production' }).click()
    await page.getByRole('link', { name: 'Revert generation 3…' }).click()
    await expect(page.getByRole('button', { name: 'Revert generation 3' })).toBeDisabled()
    await page.getByLabel(/Type the name of the org/).fill('Kestrel')
    await page.getByRole('button', { name: 'Revert generation 3' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Generation 4' })).toBeVisible()
    expect(await flagDefault(studio)).toBe(false)
  })
})

async function flagDefault({ call }: Studio): Promise<unknown> {
  const { component } = await call<{ component: { body: { default: boolean } } }>(
    'GET',
    '/metadata/v3/components/feature_flag/split_payment',
  )
  return component.body.default
}

test('the palette and the keys reach everything', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  await page.goto(studio.url)
  await page.keyboard.press('Control+k')
  const box = page.getByRole('combobox', { name: 'Component or command' })
  await box.fill('vat_rate')
  await expect(page.getByRole('option').first()).toHaveText(/^\s*vat_rate/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'vat_rate' })).toBeVisible()
  // Enter is pressed before any response can arrive.
  for (const id of ['invoice', 'split_payment', 'vat_rate']) {
    await page.keyboard.press('Control+k')
    await expect(box).toBeFocused()
    await page.keyboard.insertText(id)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: id })).toBeVisible()
  }
  await page.getByRole('grid').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Alt+Enter')
  await expect(page).toHaveURL(/\/c\/config_entry\/vat_rate\./)
  await page.keyboard.press('Alt+9')
  await expect(page).toHaveURL(/\/audit/)
  await page.getByRole('tree').focus()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
})

test('a rename rewrites what names the component, in one change list', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  const rename = async (from: string, to: string): Promise<void> => {
    await page.goto(`${studio.url}/c/value_set/${from}`)
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Rename everywhere' }).click()
    await page.getByRole('dialog').getByLabel('New key').fill(to)
    await page.getByRole('button', { name: 'Draft rename' }).click()
    await expect(page.getByRole('region', { name: 'List of changes' })).toContainText('renamed')
  }
  await rename('currency', 'coin')
  // Renaming again, as a draft, moves the draft.
  await rename('coin', 'money')
  await expect(page.getByRole('region', { name: 'List of changes' })).not.toContainText('coin')
  await leaveCroatia(page)
  await apply(page, 'Money it is')
  await visit(page, `${studio.url}/c/value_set/money`)
  await expect(page.getByRole('heading', { level: 1, name: 'money' })).toBeVisible()
})
