// Records: found in a grid, saved through the lookup field, explained, priced again after a new date, replayed.
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { verifyBundle } from '../../server/kernel/evidence/index.ts'
import { violations } from './support/axe.ts'
import { layRecords, rate, type Saved } from './support/orders.ts'
import { expect, test } from './support/test.ts'

const panel = (page: Page) => page.getByRole('complementary', { name: 'Why this value' })

test.beforeEach(() => test.setTimeout(120_000))

test('a record is saved through the lookup field, explained, priced again by a new date, and replayed', async ({
  studio,
}) => {
  const { page } = studio
  await layRecords(studio)
  await page.goto(`${studio.url}/records`)
  await page.getByRole('link', { name: 'Order', exact: true }).click()
  await expect(page.getByText('You can see none of its records yet.')).toBeVisible()
  await page.getByRole('link', { name: 'New record' }).click()
  await page.getByRole('textbox', { name: 'Number' }).fill('O-1')
  await page.getByRole('textbox', { name: 'Placed on' }).fill('15.8.2020')
  await page.getByRole('textbox', { name: 'Net' }).fill('-1')
  await page.getByRole('button', { name: 'Add record' }).click()
  await expect(page.getByText('Buyer is required.', { exact: true })).toBeVisible()

  await page.getByRole('combobox', { name: 'Buyer' }).fill('hamm')
  await page.getByRole('option', { name: 'Packhaus Hamm' }).click()
  await page.getByRole('textbox', { name: 'Net' }).fill('100')
  await page.getByRole('button', { name: 'Add record' }).click()
  await expect(page.getByRole('heading', { name: 'O-1' })).toBeVisible()
  await expect(page.getByRole('row', { name: /^Duty 16.00/ })).toBeVisible()

  await page.getByRole('button', { name: 'stored formula: why Duty has this value' }).click()
  await expect(panel(page)).toContainText('net * config.duty(buyer.country).rate')
  await expect(panel(page).getByRole('region', { name: 'Entries used' })).toContainText(/rate\s*0\.1600/)
  await expect(panel(page).getByRole('region', { name: 'Replay' })).toContainText('identical bytes')

  await page.getByRole('textbox', { name: 'Placed on' }).fill('2022-03-01')
  await expect(page.getByText('1 field edited.')).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row', { name: /^Duty 19.00/ })).toBeVisible()
  await expect(panel(page).getByRole('region', { name: 'Entries used' })).toContainText(/rate\s*0\.1900/)

  // A new rate leaves the stored value as it is, until it is recomputed.
  await studio.call('POST', '/metadata/v3/apply', {
    components: [rate('high', '2021-01-01', null, '0.2100')],
    rationale: 'A new rate',
  })
  await expect(panel(page).getByRole('region', { name: 'Recompute' })).toContainText(/21\.00\s*\+2\.00/)
  await expect(panel(page).getByRole('region', { name: 'Replay' })).toContainText(/19\.00[^]*identical bytes/)
  await expect(panel(page)).toContainText('duty changed: duty.high by admin')
  await expect(page.getByRole('row', { name: /^Duty 19.00/ })).toBeVisible()
  const download = page.waitForEvent('download')
  await panel(page).getByRole('button', { name: 'Export evidence' }).click()
  const bundle = readFileSync(await (await download).path())
  expect(verifyBundle(bundle)).toMatchObject({ ok: true, value: '"19"' })
  await panel(page).getByRole('button', { name: 'Store 21.00' }).click()
  await expect(page.getByRole('row', { name: /^Duty 21.00/ })).toBeVisible()
  await expect(panel(page).getByRole('region', { name: 'Recompute' })).toContainText('the same')

  // An archived value stays, and so does what it was computed from.
  await panel(page).getByRole('button', { name: 'Archive…' }).click()
  const archived = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('button', { name: 'Archive the value' }).click()
  expect(verifyBundle(readFileSync(await (await archived).path()))).toMatchObject({ ok: true, value: '"21"' })
  await expect(panel(page).getByRole('region', { name: 'Archived' })).toContainText('Archived by')
  const history = page.getByRole('region', { name: 'History' })
  await expect(history.getByRole('row').nth(1)).toContainText(/archived\s*Duty archived, generation 3/)
  await expect(history.getByRole('row').nth(2)).toContainText('Duty rebound, generation 2 → 3')
  await page.getByRole('textbox', { name: 'Net' }).fill('200')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('because the evidence of Duty is archived').first()).toBeVisible()
  await page.getByRole('textbox', { name: 'Placed on' }).fill('2022-03-02')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row', { name: /^Duty 42.00/ })).toBeVisible()
  await expect(panel(page).getByRole('region', { name: 'Archived' })).toBeHidden()
})

test('a review lists the stored values that a recompute after the apply would change', async ({ studio }) => {
  const { page, call } = studio
  const ids = await layRecords(studio)
  const buyer = ids['Nordlicht Verlag']
  for (const [name, placed] of [
    ['R-1', '2020-08-15'],
    ['R-2', '2022-01-01'],
    ['R-3', '2023-01-01'],
  ])
    await call('POST', '/data/v3/order', { number: name, buyer, placed, net: '100' })
  const draft = rate('high', '2021-01-01', null, '0.2000')
  await call('PUT', '/setup/v3/drafts/config_entry/duty.high', {
    text: JSON.stringify(draft),
    version: 0,
  })
  await page.goto(`${studio.url}/changes`)
  const table = page.getByRole('table', { name: 'Order, Duty: 2 records' })
  await expect(table.getByRole('row', { name: 'R-2 19.00 20.00' })).toBeVisible()
  await expect(table.getByRole('row', { name: 'R-3 19.00 20.00' })).toBeVisible()
  await expect(table.getByRole('row')).toHaveCount(3)
  await table.getByRole('link', { name: 'R-3' }).click()
  await expect(page.getByRole('heading', { name: 'R-3' })).toBeVisible()
})

test('after an apply that changes a formula, the records that keep the earlier one are recomputed', async ({
  studio,
}) => {
  const { page, call } = studio
  const ids = await layRecords(studio)
  const order = { number: 'K-1', buyer: ids['Packhaus Hamm'], placed: '2022-01-01', net: '100' }
  const { id } = await call<Saved>('POST', '/data/v3/order', order)
  const { component } = await call<{ component: object }>('GET', '/metadata/v3/components/object/order')
  const text = JSON.stringify(component).replace('net * config', 'net * 2 * config')
  await call('PUT', '/setup/v3/drafts/object/order', { text, version: 0 })
  await page.goto(`${studio.url}/changes`)
  const kept = page.getByText(/^1 stored value of Duty keeps/)
  await expect(kept.first()).toBeVisible()
  await page.getByRole('textbox', { name: 'Rationale' }).fill('Twice the duty')
  await page.getByRole('button', { name: 'Apply 1 change' }).click()
  const applied = page.getByRole('region', { name: 'Applied' })
  await expect(applied.getByText(/^1 stored value of Duty keeps/)).toBeVisible()
  await applied.getByRole('button', { name: 'Recompute records of order' }).click()
  await expect(applied.getByText('1 record processed: 1 changed, 0 failed.')).toBeVisible()
  const { fields } = await call<{ fields: { duty: string } }>('GET', `/data/v3/order/${id}`)
  expect(fields.duty).toBe('38.00')
})

test('records are filtered, ordered and paged, and what the filter refuses is explained', async ({
  studio,
}) => {
  const { page } = studio
  const ids = await layRecords(studio)
  await studio.call('POST', '/data/v3/order/batch', {
    records: Array.from({ length: 120 }, (_, at) => ({
      op: 'insert',
      fields: {
        ...{ number: `O-${String(at).padStart(3, '0')}`, placed: '2022-01-01', net: String(at) },
        buyer: ids[at % 2 === 0 ? 'Packhaus Hamm' : 'Nordlicht Verlag'],
      },
    })),
  })
  await page.goto(`${studio.url}/records/order`)
  const rows = page.getByRole('region', { name: 'Records of Order' }).getByRole('row')
  await expect(rows).toHaveCount(51)
  await expect(rows.nth(1)).toContainText('Packhaus Hamm')
  await page.getByRole('button', { name: 'Next 50' }).click()
  await expect(page.getByText('51 to 100')).toBeVisible()
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect(page.getByText('1 to 50')).toBeVisible()
  await page.getByRole('button', { name: 'Net' }).click()
  await page.getByRole('button', { name: 'Net' }).click()
  await expect(rows.nth(1)).toContainText('O-119')

  const filter = page.getByRole('textbox', { name: 'Filter', exact: true })
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await filter.fill('buyer.name == "Packhaus Hamm" && net > 100')
  await filter.press('Enter')
  await expect(rows).toHaveCount(10)
  await expect(page.getByText('1 to 9 of 9')).toBeVisible()
  await page.reload()
  await expect(rows).toHaveCount(10)
  await filter.fill('nett > 1')
  await filter.press('Enter')
  await expect(page.getByRole('alert')).toContainText('nett')
  await expect(rows).toHaveCount(10)
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(rows).toHaveCount(51)

  // A list view has its own columns and order; a typed filter narrows it.
  await page.getByRole('combobox', { name: 'List view' }).selectOption({ label: 'Large orders' })
  await expect(rows).toHaveCount(11)
  await expect(rows.nth(0)).toHaveText(/^\s*Buyer: Country\s*Number\s*Net\s*$/)
  await expect(rows.nth(1)).toContainText(/DE\s*O-119\s*119/)
  await filter.fill('net < 112')
  await filter.press('Enter')
  await expect(rows).toHaveCount(3)
  await page.reload()
  await expect(rows).toHaveCount(3)
  await page.getByRole('combobox', { name: 'List view' }).selectOption({ label: 'All records' })
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(rows).toHaveCount(51)

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await page.getByRole('menuitem', { name: 'As shown, with names and labels' }).click()
  expect((await download).suggestedFilename()).toBe('order.csv')
  const lines = readFileSync(await (await download).path(), 'utf8').split(/\r?\n/)
  expect(lines[0]).toBe('\ufeffNumber,Buyer,Placed on,Net,Duty')
  expect(lines[1]).toMatch(/^O-\d+,(Packhaus Hamm|Nordlicht Verlag),\d{4}-\d\d-\d\d,/)
  const keys = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await page.getByRole('menuitem', { name: 'For an import, with IDs and keys' }).click()
  expect(readFileSync(await (await keys).path(), 'utf8')).toMatch(/^id,number,buyer,placed,net,duty\r?\n/)
})

test('a record that another user changed is not overwritten, and what was typed stays', async ({
  studio,
}) => {
  const { page } = studio
  const ids = await layRecords(studio)
  const id = ids['Packhaus Hamm']!
  await page.goto(`${studio.url}/records/buyer/${id}`)
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Packhaus Soest')
  await studio.call('POST', '/data/v3/buyer/batch', {
    records: [{ op: 'update', id, fields: { country: 'AT' } }],
  })
  // Other pages keep what was typed.
  await page.getByRole('link', { name: 'Order', exact: true }).click()
  await expect(page).toHaveURL(/\/records\/order$/)
  await page.goBack()
  await expect(name).toHaveValue('Packhaus Soest')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The record was saved.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Country' })).toHaveValue('AT')
  // The form has loaded what it saved; the next change is one that it has not seen.
  await expect(page.getByRole('heading', { name: 'Packhaus Soest' })).toBeVisible()

  // The save arrives before this page has read the change.
  const isSaved = Promise.withResolvers<void>()
  await page.route(`**/data/v3/buyer/${id}*`, async (route) => {
    if (route.request().method() === 'GET') await isSaved.promise
    await route.continue()
  })
  await name.fill('Packhaus Werl')
  await studio.call('POST', '/data/v3/buyer/batch', {
    records: [{ op: 'update', id, fields: { country: 'BE' } }],
  })
  const refused = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await page.getByRole('button', { name: 'Save' }).click()
  await refused
  isSaved.resolve()
  await expect(page.getByText(/^Administrator changed Country in the meantime/)).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Country' })).toHaveValue('BE')
  await expect(name).toHaveValue('Packhaus Werl')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Packhaus Werl' })).toBeVisible()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete the record' }).click()
  await expect(page).toHaveURL(/\/records\/buyer$/)
})

test('the history of a record shows earlier changes on request', async ({ studio }) => {
  const { page } = studio
  const ids = await layRecords(studio)
  const id = ids['Packhaus Hamm']!
  for (let index = 1; index <= 60; index += 1)
    await studio.call('POST', '/data/v3/buyer/batch', {
      records: [{ op: 'update', id, fields: { name: `Packhaus ${index}` } }],
    })
  await page.goto(`${studio.url}/records/buyer/${id}`)
  const rows = page.getByRole('region', { name: 'History' }).locator('tbody tr')
  await expect(rows).toHaveCount(50)
  await expect(rows.first()).toContainText('Packhaus 60')
  await page.getByRole('button', { name: 'Show earlier changes' }).click()
  await expect(rows).toHaveCount(61)
  await expect(rows.last()).toContainText('added')
  await expect(page.getByRole('button', { name: 'Show earlier changes' })).toHaveCount(0)
  // They stay when a different user changes the record.
  await studio.call('POST', '/data/v3/buyer/batch', {
    records: [{ op: 'update', id, fields: { name: 'Packhaus 61' } }],
  })
  await expect(rows.first()).toContainText('Packhaus 61')
  await expect(rows).toHaveCount(62)
})

for (const width of [1440, 390])
  test(`axe finds nothing on the pages of records, which fit ${width} px`, async ({ studio }) => {
    const { page } = studio
    const ids = await layRecords(studio)
    const buyer = ids['Packhaus Hamm']!
    const { id } = await studio.call<Saved>('POST', '/data/v3/order', {
      ...{ number: 'O-1', buyer, placed: '2022-01-01', net: '100' },
    })
    await page.setViewportSize({ width, height: 844 })
    for (const [path, ready] of [
      ['/records/order', 'O-1'],
      [`/records/order/${id}?why=duty`, 'Entries used'],
      ['/records/order/new', 'New Order'],
    ] as const) {
      await page.goto(studio.url + path)
      await expect(page.getByText(ready, { exact: true }).first()).toBeVisible()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect.soft(await violations(page), path).toEqual([])
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect.soft(overflow, path).toBeLessThanOrEqual(0)
    }
  })
