// A record page drawn from a layout: fields, a lookup field, computed fields, and the list of its child records.
import { violations } from './support/axe.ts'
import { layBills } from './support/bills.ts'
import { expect, test } from './support/test.ts'
import { visit } from './support/visit.ts'

test.beforeEach(() => test.setTimeout(120_000))

test('a record page is drawn from the layout, saved, refused at its field, and explained', async ({
  studio,
}) => {
  const { page } = studio
  const { bill } = await layBills(studio)
  await page.goto(`${studio.url}/records/bill/${bill}`)
  const main = page.getByRole('region', { name: 'Bill', exact: true })
  await expect(main.getByRole('textbox', { name: 'Number' })).toHaveValue('B-1')
  await expect(main.getByRole('combobox', { name: 'Paid by' })).toHaveValue('Packhaus Hamm')
  await expect(main.getByLabel('City')).toHaveText('Hamm')
  // The layout does not place the note.
  await expect(page.getByRole('textbox', { name: 'Note' })).toHaveCount(0)
  expect(await violations(page)).toEqual([])

  await main.getByRole('textbox', { name: 'Net' }).fill('-1')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(main.getByText('The net amount is negative.', { exact: true })).toBeVisible()
  await main.getByRole('textbox', { name: 'Net' }).fill('120')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('region', { name: 'Sums' })).toContainText('240.00')
  await page.getByRole('button', { name: 'stored formula: why Double has this value' }).click()
  await expect(page.getByRole('complementary', { name: 'Why this value' })).toContainText('net * 2')
  await expect(page.getByRole('region', { name: 'History' })).toContainText('100.00 → 120.00')
})

test('another layout, or all fields, can be chosen, and the choice stays; a problem of a field elsewhere is shown', async ({
  studio,
}) => {
  const { page } = studio
  const { bill } = await layBills(studio)
  await page.goto(`${studio.url}/records/bill/${bill}`)
  const choice = page.getByRole('combobox', { name: 'Layout' })
  await expect(choice).toHaveValue('bill_page')
  await choice.selectOption({ label: 'Short page' })
  await expect(page.getByRole('region', { name: 'Only the number' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Number' })).toHaveValue('B-1')
  await expect(page.getByRole('textbox', { name: 'Net' })).toHaveCount(0)
  await page.reload()
  await expect(choice).toHaveValue('bill_short')
  await choice.selectOption({ label: 'Bill page' })
  await page.getByRole('textbox', { name: 'Net' }).fill('1000')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert')).toContainText('A large bill needs a note.')
  await page.getByRole('button', { name: 'Show all fields' }).click()
  await expect(page.getByRole('textbox', { name: 'Net' })).toHaveValue('1000')
  await expect(page.getByText('A large bill needs a note.', { exact: true })).toBeVisible()
  await page.getByRole('textbox', { name: 'Note' }).fill('Approved')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row', { name: /^Double 2000.00/ })).toBeVisible()
})

test('child records are listed, and a new one refers to the record', async ({ studio }) => {
  const { page } = studio
  const { bill, payer } = await layBills(studio)
  const other = await studio.call<{ id: string }>('POST', '/data/v3/bill', { number: 'B-2', payer, net: '1' })
  const items = Array.from({ length: 25 }, (_, at) => ({
    op: 'insert',
    fields: { text: `Part ${String(at + 10)}`, bill },
  }))
  const others = [{ op: 'insert', fields: { text: 'Of the other bill', bill: other.id } }]
  await studio.call('POST', '/data/v3/item/batch', { records: [...items, ...others] })
  await page.goto(`${studio.url}/records/bill/${bill}`)
  const list = page.getByRole('group', { name: 'Its items' })
  await expect(list.getByRole('row')).toHaveCount(21)
  await list.getByRole('button', { name: 'Show 20 more' }).click()
  await expect(list.getByRole('row')).toHaveCount(26)
  await expect(list).not.toContainText('Of the other bill')

  await list.getByRole('link', { name: 'New Item' }).click()
  await expect(page.getByRole('combobox', { name: 'Bill' })).toHaveValue('B-1')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('combobox', { name: 'Bill' })).toHaveValue('B-1')
  await page.getByRole('textbox', { name: 'Text' }).fill('A new part')
  await page.getByRole('button', { name: 'Add record' }).click()
  await expect(page.getByRole('heading', { name: 'B-1' })).toBeVisible()
  await expect(list.getByRole('link', { name: 'A new part' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Sums' })).toContainText('26.00')

  await list.getByRole('link', { name: 'Open list' }).click()
  await expect(page.getByRole('combobox', { name: 'List view' })).toHaveValue('items')
  await expect(page.getByRole('row')).toHaveCount(27)
})

test('a field along a reference has its label before the record is saved, and shows no value of an earlier choice', async ({
  studio,
}) => {
  const { page } = studio
  const { bill } = await layBills(studio)
  await studio.call('POST', '/data/v3/payer', { name: 'Nordlicht Verlag', city: 'Kiel' })
  await page.goto(`${studio.url}/records/bill/new`)
  const city = page.locator('[data-field="payer.city"]')
  await expect(city).toHaveText(/Payer: City\s*shown when it is saved/)
  await visit(page, `${studio.url}/records/bill/${bill}`)
  await expect(city).toContainText('Hamm')
  await page.getByRole('combobox', { name: 'Paid by' }).fill('Nord')
  await page.getByRole('option', { name: 'Nordlicht Verlag' }).click()
  await expect(city).toHaveText(/Payer: City\s*shown when it is saved/)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(city).toContainText('Kiel')
})

test('a new record cannot have children yet, and sections have one column where there is little room', async ({
  studio,
}) => {
  const { page } = studio
  const { bill } = await layBills(studio)
  await page.goto(`${studio.url}/records/bill/new`)
  await expect(page.getByText('Its records can be added once this record is saved.')).toBeVisible()
  await visit(page, `${studio.url}/records/bill/${bill}`)
  const cells = page.locator('[data-field="number"], [data-field="payer"]')
  const boxes = async (): Promise<{ x: number }[]> =>
    Promise.all((await cells.all()).map(async (cell) => (await cell.boundingBox())!))
  await expect(page.getByLabel('Paid by').first()).toBeVisible()
  const [wideA, wideB] = await boxes()
  expect(wideB!.x).toBeGreaterThan(wideA!.x + 100)
  await page.setViewportSize({ width: 390, height: 844 })
  const [narrowA, narrowB] = await boxes()
  expect(Math.abs(narrowB!.x - narrowA!.x)).toBeLessThan(2)
})
