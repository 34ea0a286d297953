// Virtual objects in the studio: entity sets of a source, a drafted object, and its rows in the grid and on their pages.
import { violations } from './support/axe.ts'
import { expect, test, type Studio } from './support/test.ts'
import { startFaultySource, type FaultySource } from '../conformance/odata/faulty-source.ts'
import { virtualComponents } from '../support/virtual-org.ts'

let source: FaultySource
test.beforeAll(async () => {
  source = await startFaultySource()
})
test.afterAll(() => source.close())
test.beforeEach(() => {
  source.faults = {}
  source.rows = Array.from({ length: 60 }, (_, at) => ({
    ...{ Id: `A/${at}`, Name: `Order ${String(at).padStart(2, '0')}`, City: 'Graz', Amount: at * 10 },
    ...{ Placed: '2026-01-01', Open: at > 4, Status: 'Sent', Version: 1, Pieces: at },
  }))
})

/** The orders of the source, which the user of the studio can read and change. */
async function deploy({ call }: Studio, options: object = {}): Promise<void> {
  const components = virtualComponents({ url: source.url, ...options })
  await call('POST', '/metadata/v3/apply', { components, rationale: 'Orders of the ERP' })
  await call('PUT', '/setup/v3/credentials/erp_key/principals/service/next', { values: { key: 'secret' } })
  const { users } = await call<{ users: { key: string; version: string; permissionSets: string[] }[] }>(
    'GET',
    '/setup/v3/users',
  )
  const { version, permissionSets } = users.find(({ key }) => key === 'admin')!
  await call('PUT', '/setup/v3/users/admin', { version, permissionSets: [...permissionSets, 'seller'] })
}

test('an author browses a source, and drafts an object from an entity set', async ({ studio }) => {
  const { page, url } = studio
  await deploy(studio)
  await page.goto(`${url}/c/external_data_source/erp?view=entity-sets`)
  const sets = page.getByRole('table', { name: 'Entity sets' })
  await expect(sets.getByRole('row', { name: /Pairs/ })).toContainText('cannot be an object')
  await sets.getByRole('button', { name: 'Orders' }).click()
  const properties = page.getByRole('table', { name: 'Properties of Orders' })
  await expect(properties.getByRole('row', { name: /Tags/ })).toContainText('is a list')
  await page.getByRole('button', { name: 'Show a first page' }).click()
  await expect(page.getByRole('table', { name: 'A first page of Orders' })).toContainText('Order 00')
  await expect(page.getByText('20 rows, as you see them.')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Draft an object' }).click()
  await expect(page).toHaveURL(/\/c\/object\/orders?/)
  await expect(page.getByText('The object was drafted.')).toBeVisible()
})

test('a failing source is explained, and read again', async ({ studio }) => {
  const { page, url } = studio
  await deploy(studio)
  source.faults = { status: { code: 503 } }
  await page.goto(`${url}/c/external_data_source/erp?view=entity-sets`)
  await expect(page.getByRole('alert')).toContainText('The call to the source erp failed')
  source.faults = {}
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('table', { name: 'Entity sets' })).toBeVisible()
})

test('rows are listed, sorted, filtered and searched by the source', async ({ studio }) => {
  const { page, url } = studio
  await deploy(studio)
  await page.goto(`${url}/records/sales_order`)
  const grid = page.getByRole('grid')
  await expect(grid).toContainText('Order 00')
  await expect(page.getByText('virtual: rows of erp')).toBeVisible()
  await expect(page.getByText('50 rows of 60, page 1')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Recompute…' })).toHaveCount(0)
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Next 50' }).click()
  await expect(page.getByText('10 rows, page 2')).toBeVisible()
  await page.goto(`${url}/records/sales_order?order=amount:desc`)
  await expect(grid.getByRole('row').nth(1)).toContainText('Order 59')
  await page.getByLabel('Search sales_order').fill('order 17')
  await expect(page.getByText('1 row, page 1')).toBeVisible()
})

test('a partial page and values of a different type are shown with their reasons', async ({ studio }) => {
  const { page, url } = studio
  await deploy(studio, { source: { listViewDeadlineMs: 1200, pageSize: 10 } })
  source.rows[0]!['Amount'] = 'many'
  source.faults = {
    before: (at) => (at < 2 ? undefined : new Promise((resolve) => setTimeout(resolve, 4000))),
  }
  await page.goto(`${url}/records/sales_order`)
  const warnings = page.getByRole('list', { name: 'Warnings about this page' })
  await expect(warnings).toContainText('The list is incomplete.')
  await expect(warnings).toContainText('amount is a text, not a number')
  await expect(page.getByText(/^20 rows/)).toBeVisible()
  expect(await violations(page)).toEqual([])
  source.faults = {}
  await page.goto(`${url}/records/sales_order/${encodeURIComponent('A/0')}`)
  await expect(page.getByText('The source returned values of a different type')).toContainText('amount')
  expect(await violations(page)).toEqual([])
})

test('a source that does not filter, sort or count is not asked to', async ({ studio }) => {
  const { page, url } = studio
  await deploy(studio, { source: { pushdown: {} } })
  await page.goto(`${url}/records/sales_order`)
  await expect(page.getByText('erp does not filter or search.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Filter', exact: true })).toHaveCount(0)
  await expect(page.getByText('50 rows, page 1')).toBeVisible()
  await page.getByRole('columnheader', { name: 'amount' }).click()
  await expect(page).not.toHaveURL(/order=/)
})

test('a row is changed, and what others changed in between is shown', async ({ studio }) => {
  const { page, url } = studio
  await deploy(studio)
  await page.goto(`${url}/records/sales_order/${encodeURIComponent('A/3')}`)
  await expect(page.getByText('virtual: a row of erp')).toBeVisible()
  const city = page.getByLabel('city', { exact: true })
  await city.fill('Linz')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('The record was saved.')).toBeVisible()
  expect(source.rows[3]).toMatchObject({ City: 'Linz' })
  await city.fill('Wels')
  source.rows[3]!['Name'] = 'Changed elsewhere'
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('A different user changed name in the meantime.')).toBeVisible()
  expect(source.rows[3]).toMatchObject({ City: 'Linz' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(() => source.rows[3]!['City']).toBe('Wels')
})

test('a row is added and deleted', async ({ studio }) => {
  const { page, url } = studio
  await deploy(studio)
  await page.goto(`${url}/records/sales_order/new`)
  await page.getByLabel('id_text', { exact: true }).fill('N/1')
  await page.getByLabel('name', { exact: true }).fill('Fresh')
  await page.getByRole('button', { name: 'Add record' }).click()
  await expect(page).toHaveURL(/records\/sales_order\/N%2F1/)
  await expect(page.getByRole('heading', { name: 'Fresh' })).toBeVisible()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('The row is deleted in the source erp.')).toBeVisible()
  await page.getByRole('button', { name: 'Delete the record' }).click()
  await expect.poll(() => source.rows.some(({ Id }) => Id === 'N/1')).toBe(false)
})

test('a stored record refers to a row by a lookup', async ({ studio }) => {
  const { page, url } = studio
  await deploy(studio)
  await page.goto(`${url}/records/parcel/new`)
  await page.getByLabel('code', { exact: true }).fill('P-1')
  await page.getByRole('combobox', { name: 'order' }).fill('order 4')
  await page.getByRole('option', { name: /Order 42/ }).click()
  await page.getByRole('button', { name: 'Add record' }).click()
  await expect(page.getByRole('heading', { name: 'P-1' })).toBeVisible()
  await page.goto(`${url}/records/parcel`)
  await expect(page.getByRole('grid')).toContainText('Order 42')
})

test('the page of a virtual object shows who sees its rows', async ({ studio }) => {
  const { page, url } = studio
  await deploy(studio)
  await page.goto(`${url}/c/object/sales_order`)
  await expect(page.getByRole('note')).toContainText('The object permission alone decides')
  await expect(page.getByRole('note')).toContainText('No calls measured yet.')
  await studio.call('POST', '/data/v3/query', { object: 'sales_order', fields: ['name'] })
  await page.reload()
  await expect(page.getByRole('note')).toContainText('took at most')
  expect(await violations(page)).toEqual([])
})

test('a cell is edited in the grid, over the version that was read', async ({ studio }) => {
  const { page, url } = studio
  await deploy(studio)
  await page.goto(`${url}/records/sales_order`)
  const grid = page.getByRole('grid')
  await expect(grid).toContainText('Order 00')
  const heads = await grid.getByRole('columnheader').allInnerTexts()
  const at = heads.findIndex((text) => text.toLowerCase().startsWith('amount'))
  const amount = grid.getByRole('row').filter({ hasText: 'Order 01' }).getByRole('gridcell').nth(at)
  await amount.dblclick()
  await page.getByRole('textbox', { name: /^amount, row/ }).fill('77.5')
  await page.keyboard.press('Enter')
  await expect(amount).toHaveText('77.50')
  await expect.poll(() => source.rows[1]!['Amount']).toBe('77.50')
  // Another user changes the same value before the next edit.
  source.rows[1]!['Amount'] = '90'
  await amount.dblclick()
  await page.getByRole('textbox', { name: /^amount, row/ }).fill('11')
  await page.keyboard.press('Enter')
  await expect(page.getByText('90.00').first()).toBeVisible()
  expect(source.rows[1]!['Amount']).toBe('90')
})

test('a list without rows shows that the source failed, and is read again', async ({ studio }) => {
  const { page, url } = studio
  // Long enough for a refusal on a busy machine.
  const deadlineMs = 2000
  await deploy(studio, { source: { listViewDeadlineMs: deadlineMs } })
  source.faults = { status: { code: 503 } }
  await page.goto(`${url}/records/sales_order`)
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('it returned 503')
  await expect(page.getByText('no records')).toHaveCount(0)
  source.faults = { before: () => new Promise((resolve) => setTimeout(resolve, 2 * deadlineMs)) }
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No row arrived from the source.')).toBeVisible()
  await expect(page.getByText('You can see none of its records yet.')).toHaveCount(0)
  source.faults = {}
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('grid')).toContainText('Order 00')
})

test('a row whose ID is "new" has a page of its own', async ({ studio }) => {
  const { page, url } = studio
  await deploy(studio)
  source.rows.push({ ...source.rows[0]!, Id: 'new', Name: 'Called new' })
  await page.goto(`${url}/records/sales_order?q=called`)
  await page.getByRole('gridcell', { name: 'Called new' }).click()
  await page.keyboard.press('Alt+Enter')
  await expect(page).toHaveURL(/\/records\/sales_order\/~new$/)
  await expect(page.getByRole('heading', { name: 'Called new' })).toBeVisible()
  await page.getByLabel('city', { exact: true }).fill('Linz')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(() => source.rows.find(({ Id }) => Id === 'new')!['City']).toBe('Linz')
  await page.goto(`${url}/records/sales_order/new`)
  await expect(page.getByRole('button', { name: 'Add record' })).toBeVisible()
})

test('a row that cannot be read is named by its ID', async ({ studio }) => {
  const { page, url } = studio
  await deploy(studio)
  source.faults = { status: { code: 401 } }
  await page.goto(`${url}/records/sales_order/${encodeURIComponent('A/3')}`)
  await expect(page.getByRole('alert')).toContainText('it returned 401')
  await expect(page.getByRole('tablist', { name: 'Open pages' }).or(page.locator('.tabs'))).toContainText(
    'A/3',
  )
})
