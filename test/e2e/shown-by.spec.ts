// A formula from the first letter to its replay: completed, checked and tried in the form, applied, saved through the
// lookup field, explained, priced again by a new date, and replayed.
import type { Locator, Page } from '@playwright/test'
import { violations } from './support/axe.ts'
import { layRecords, orderObject, type Saved } from './support/orders.ts'
import { expect, test } from './support/test.ts'
import { visit } from './support/visit.ts'

const suggestion = (page: Page, name: string): Locator =>
  page.locator('.suggest-widget.visible .monaco-list-row').filter({ hasText: name }).first()
/** The editor of an expression; until it is loaded, a plain text area of the same name takes its place. */
const expression = (page: Page, name: string): Locator =>
  page.getByRole('textbox', { name, exact: true }).and(page.locator('.native-edit-context'))
const lines = (page: Page): Locator =>
  page
    .locator('.editor.expression')
    .filter({ has: page.getByRole('textbox', { name: 'Expression', exact: true }) })
    .locator('.view-lines')
const panel = (page: Page): Locator => page.getByRole('complementary', { name: 'Why this value' })

test('a formula is completed, checked, tried for a record, applied, explained and replayed', async ({
  studio,
}) => {
  test.setTimeout(120_000)
  const { page, call } = studio
  const ids = await layRecords(studio)
  await call('POST', '/metadata/v3/apply', { components: [orderObject('net * 0')], rationale: 'No duty yet' })
  await call('POST', '/data/v3/order', {
    ...{ number: 'O-0', buyer: ids['Nordlicht Verlag'], placed: '2022-03-01', net: '50' },
  })

  await page.goto(`${studio.url}/c/object/order`)
  const form = page.getByRole('region', { name: 'Form' })
  await form.getByRole('button', { name: /^duty/ }).click()
  await expression(page, 'Expression').focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('nett * config.du')
  await suggestion(page, 'duty').click()
  await page.keyboard.type('buyer.cou')
  await expect(suggestion(page, 'country')).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.press('End')
  await page.keyboard.type('.ra')
  await suggestion(page, 'rate').click()
  await expect(lines(page)).toHaveText('nett * config.duty(buyer.country).rate')

  // The misspelt field is underlined, and its message offers the right one.
  await expect(page.locator('.editor.expression .squiggly-error').first()).toBeVisible()
  await expect(form.getByText('nett').filter({ hasText: 'Did you mean' })).toBeVisible()
  await form.getByRole('button', { name: 'Change to net', exact: true }).click()
  await expect(lines(page)).toHaveText('net * config.duty(buyer.country).rate')
  await expect(page.locator('.editor.expression .squiggly-error')).toHaveCount(0)

  // The value for a record and a date, before anything is applied.
  await form.getByRole('button', { name: 'Expression: show the value for a record' }).click()
  const preview = form.getByRole('group', { name: 'Expression: value for a record' })
  await preview.getByRole('combobox', { name: 'Record of order' }).fill('O-0')
  await page.getByRole('option', { name: 'O-0' }).click()
  await expect(preview.getByRole('status')).toHaveText(/= 9\.50, number, configuration of 1 Mar 2022/)
  await preview.getByRole('textbox', { name: 'Date for the value' }).fill('2020-02-31')
  await expect(preview.getByRole('status')).toHaveText(/^2020-02-31 is not a date: .+\.$/)
  await preview.getByRole('textbox', { name: 'Date for the value' }).fill('15.8.2020')
  await expect(preview.getByRole('status')).toHaveText(/= 8\.00, number, configuration of 15 Aug 2020/)
  await lines(page).hover({ position: { x: 10, y: 8 } })
  const hint = page.locator('.monaco-hover:not(.hidden)')
  await expect(hint).toContainText('net: number')
  await expect(hint).toContainText('net = 50')
  await page.mouse.move(0, 0)
  expect(await violations(page)).toEqual([])
  await expect(page.locator('.phead .state')).toHaveText('draft')

  await visit(page, `${studio.url}/changes`)
  await page.getByRole('textbox', { name: 'Rationale' }).fill('Duty by the country of the buyer')
  await page.locator('#apply').click()
  await expect(page.getByRole('region', { name: 'Applied' })).toBeVisible()

  // A record is saved through the lookup field, and its value is explained.
  await visit(page, `${studio.url}/records/order/new`)
  await page.getByRole('textbox', { name: 'Number' }).fill('O-1')
  await page.getByRole('combobox', { name: 'Buyer' }).fill('hamm')
  await page.getByRole('option', { name: 'Packhaus Hamm' }).click()
  await page.getByRole('textbox', { name: 'Placed on' }).fill('2020-08-15')
  await page.getByRole('textbox', { name: 'Net' }).fill('100')
  await page.getByRole('button', { name: 'Add record' }).click()
  await expect(page.getByRole('row', { name: /^Duty 16.00/ })).toBeVisible()
  await page.getByRole('button', { name: 'stored formula: why Duty has this value' }).click()
  await expect(panel(page)).toContainText('net * config.duty(buyer.country).rate')
  await expect(panel(page).getByRole('region', { name: 'Entries used' })).toContainText(/rate\s*0\.1600/)

  // A new date is a new price, and its replay is identical.
  await page.getByRole('textbox', { name: 'Placed on' }).fill('2022-03-01')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row', { name: /^Duty 19.00/ })).toBeVisible()
  await expect(panel(page).getByRole('region', { name: 'Replay' })).toContainText(/19\.00[^]*identical bytes/)
  const { records } = await call<{ records: Saved[] }>('POST', '/data/v3/query', {
    ...{ object: 'order', fields: ['duty'], filter: 'number == "O-1"' },
  })
  expect(records).toMatchObject([{ fields: { duty: '19.00' }, version: 2 }])
})

test('rules, filters of roll-ups, sharing and automations show their value for a record too', async ({
  studio,
}) => {
  test.setTimeout(120_000)
  const { page, call } = studio
  const ids = await layRecords(studio)
  await call('POST', '/data/v3/order', {
    ...{ number: 'O-0', buyer: ids['Nordlicht Verlag'], placed: '2022-03-01', net: '50' },
  })
  const draft = (type: string, key: string, body: object): Promise<unknown> =>
    call('PUT', `/setup/v3/drafts/${type}/${key}`, {
      text: JSON.stringify({ type, key, label: key, body }),
      version: 0,
    })
  await draft('automation', 'mark', {
    ...{ phase: 'after_write', object: 'order', when: 'changed(net)' },
    actions: [{ key: 'stop', type: 'raise', when: 'net < 100', message: 'Too little.' }],
  })
  const buyer = {
    nameField: 'name',
    fields: [
      { key: 'name', label: 'Name', type: 'text', required: true },
      { key: 'country', label: 'Country', type: 'text', required: true },
      {
        ...{ key: 'orders', type: 'number', precision: 9, scale: 0 },
        rollup: { child: 'order', via: 'buyer', op: 'count', filter: 'net >= 50' },
      },
    ],
    sharing: {
      rules: [{ key: 'home', when: 'country == "DE"', permissionSet: 'administrator', access: 'read' }],
    },
  }
  await draft('object', 'buyer', buyer)
  const form = page.getByRole('region', { name: 'Form' })
  const valueOf = async (label: string, object: string, record: string): Promise<Locator> => {
    const ask = form.getByRole('button', { name: `${label}: show the value for a record` })
    const group = form.getByRole('group', { name: `${label}: value for a record` })
    await ask.or(group).first().waitFor()
    if (await ask.isVisible()) await ask.click()
    const box = group.getByRole('combobox', { name: `Record of ${object}` })
    if ((await box.inputValue()) === '') {
      await box.fill(record)
      await page.getByRole('option', { name: record }).first().click()
    }
    return group.getByRole('status')
  }

  await page.goto(`${studio.url}/c/object/order`)
  await form.getByRole('button', { name: /^positive/ }).click()
  await expect(await valueOf('Reject if', 'order', 'O-0')).toContainText('= false, boolean')

  await visit(page, `${studio.url}/c/automation/mark`)
  await expect(await valueOf('Condition', 'order', 'O-0')).toContainText('= false, boolean')
  await form.getByRole('button', { name: /^stop/ }).click()
  await expect(await valueOf('Reject if', 'order', 'O-0')).toContainText('= true, boolean')

  await visit(page, `${studio.url}/c/object/buyer`)
  await form.getByRole('button', { name: /^orders/ }).click()
  await expect(await valueOf('Filter', 'order', 'O-0')).toContainText('= true, boolean')
  await form.getByRole('button', { name: /^home/ }).click()
  await expect(await valueOf('Condition', 'buyer', 'Nordlicht Verlag')).toContainText('= true, boolean')
})
