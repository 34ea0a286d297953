// The list of records stays current, is searched and filtered, and keeps the place of the user.
import type { Locator, Page } from '@playwright/test'
import { violations } from './support/axe.ts'
import { layOrders, type Saved } from './support/orders.ts'
import { expect, test, type Studio } from './support/test.ts'

const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Order' })
const row = (page: Page, order: string): Locator =>
  grid(page)
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: order, exact: true }) })
const rows = (page: Page): Locator => grid(page).getByRole('row')

/** Another user changes orders. */
const change = (studio: Studio, records: readonly object[]): Promise<unknown> =>
  studio.call('POST', '/data/v3/order/batch', { records })

test.beforeEach(() => test.setTimeout(120_000))

test('changes of other users appear, and neither an open cell nor the selection nor the scroll moves', async ({
  studio,
}) => {
  const { page } = studio
  const ids = await layOrders(studio, 40)
  await page.goto(`${studio.url}/records/order?order=net:asc`)
  await expect(rows(page)).toHaveCount(41)
  await change(studio, [{ op: 'update', id: ids['O-003'], fields: { net: '3.5' } }])
  await expect(row(page, 'O-003')).toContainText('3.50')

  // The selected cell stays with its record, to which the page does not scroll.
  const region = page.getByRole('region', { name: 'Records of Order' })
  const net = row(page, 'O-030').getByRole('gridcell').nth(3)
  await net.click()
  await region.evaluate((element) => element.scrollTo(0, 0))
  await change(studio, [
    { op: 'update', id: ids['O-001'], fields: { net: '500' } },
    { op: 'delete', id: ids['O-002'] },
  ])
  await expect(rows(page)).toHaveCount(40)
  await expect(rows(page).last()).toContainText('O-001')
  await expect(net).toHaveAttribute('aria-selected', 'true')
  expect(await region.evaluate((element) => element.scrollTop)).toBe(0)

  // While a cell is open, values change in place, and records move afterwards.
  await row(page, 'O-010').getByRole('gridcell').nth(3).dblclick()
  const editor = page.getByRole('textbox', { name: /^Net, row/ })
  await editor.fill('7')
  await change(studio, [
    { op: 'update', id: ids['O-011'], fields: { placed: '2023-04-05', net: '600' } },
    { op: 'update', id: ids['O-010'], fields: { placed: '2023-04-05' } },
  ])
  await expect(row(page, 'O-011')).toContainText('600')
  await expect(rows(page).last()).toContainText('O-001')
  await expect(editor).toHaveValue('7')
  await expect(editor).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(rows(page).last()).toContainText('O-011')
  await expect(row(page, 'O-010')).toContainText('2023')

  // A change of the same record is not overwritten unseen.
  await row(page, 'O-010').getByRole('gridcell').nth(3).dblclick()
  await editor.fill('8')
  await change(studio, [{ op: 'update', id: ids['O-010'], fields: { net: '9' } }])
  await page.waitForTimeout(1500)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('group', { name: 'Not saved' })).toContainText('Administrator changed it')
})

test('a filter is chosen from fields, and a fault in its expression leaves the records in place', async ({
  studio,
}) => {
  const { page } = studio
  await layOrders(studio, 20)
  await page.goto(`${studio.url}/records/order`)
  await expect(rows(page)).toHaveCount(21)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('button', { name: 'Add condition' }).click()
  const condition = (what: string, at: number): Locator =>
    page.getByRole('combobox', { name: `${what} of condition ${at}` })
  await condition('Field', 1).selectOption('Buyer')
  await condition('Operator', 1).selectOption('is')
  await page.getByRole('combobox', { name: 'Buyer' }).fill('hamm')
  await page.getByRole('option', { name: 'Packhaus Hamm' }).click()
  await expect(rows(page)).toHaveCount(11)
  await page.getByRole('button', { name: 'Add condition' }).click()
  await condition('Field', 2).selectOption('Net')
  await condition('Operator', 2).selectOption('is at least')
  await page.getByRole('textbox', { name: 'Value of condition 2' }).fill('15')
  await expect(rows(page)).toHaveCount(3)
  const expression = page.getByRole('textbox', { name: 'Filter', exact: true })
  await expect(expression).toHaveValue(/^buyer == "[0-9a-f-]{36}" && net >= 15$/)
  expect(await violations(page)).toEqual([])

  // A value that cannot be compared is explained where it is typed, and is not part of the filter.
  const value = page.getByRole('textbox', { name: 'Value of condition 2' })
  await value.fill('abc')
  await expect(value).toHaveAccessibleDescription(/"abc" is not a number/)
  await expect(rows(page)).toHaveCount(11)
  await expect(value).toHaveValue('abc')
  await value.fill('15,0')
  await expect(rows(page)).toHaveCount(3)
  await value.fill('15')

  // The URL has the filter, from which the conditions are read again.
  await page.reload()
  await expect(rows(page)).toHaveCount(3)
  await expect(condition('Operator', 2)).toHaveValue('at_least')
  await expect(page.getByRole('combobox', { name: 'Buyer' })).toHaveValue('Packhaus Hamm')
  await page.getByRole('button', { name: 'Remove condition 1' }).click()
  await expect(rows(page)).toHaveCount(6)

  await expression.fill('net >= 15 || nett > 1')
  await expression.press('Enter')
  const fault = page.getByRole('alert').filter({ hasText: 'nett' })
  await expect(fault).toContainText('The list is as it was before.')
  await expect(expression).toHaveAttribute('aria-invalid', 'true')
  await expect(rows(page)).toHaveCount(6)
  await expression.fill('net > 9999')
  await expression.press('Enter')
  await expect(page.getByText('No record meets the filter.')).toBeVisible()
  await expression.fill('nett > 9999')
  await expression.press('Enter')
  await expect(fault).toBeVisible()
  await expect(page.getByText('No record meets the filter.')).toBeHidden()
  await expression.fill('net >= 15 || net < 2')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(fault).toBeHidden()
  await expect(rows(page)).toHaveCount(8)
  await expect(page.getByText('This expression cannot be shown as conditions.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(rows(page)).toHaveCount(21)
})

test('a press on a record opens it, although the list is read before the release', async ({ studio }) => {
  const { page } = studio
  await layOrders(studio, 20)
  await page.goto(`${studio.url}/records/order`)
  await expect(rows(page)).toHaveCount(21)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const expression = page.getByRole('textbox', { name: 'Filter', exact: true })
  await expression.fill('nett > 1')
  await expression.press('Enter')
  const fault = page.getByRole('alert').filter({ hasText: 'nett' })
  await expect(fault).toBeVisible()
  let release = (): void => undefined
  const pressed = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/data/v3/query', async (route) => {
    await pressed
    await route.continue()
  })
  // The response removes the fault, which is above the list.
  const read = page.waitForResponse('**/data/v3/query')
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await row(page, 'O-003').getByRole('link').hover()
  await page.mouse.down()
  release()
  await (await read).finished()
  await page.evaluate(() => new Promise((drawn) => setTimeout(drawn, 100)))
  await page.mouse.up()
  await expect(page.getByRole('heading', { level: 1, name: 'O-003' })).toBeVisible()
  await page.goBack()
  await expect(fault).toHaveCount(0)
})

test('a search finds records by the beginnings of words, together with the filter', async ({ studio }) => {
  const { page } = studio
  await layOrders(studio, 60)
  await page.goto(`${studio.url}/records/order?filter=net < 15`)
  await expect(rows(page)).toHaveCount(16)
  const search = page.getByRole('searchbox', { name: 'Search Order' })
  await search.fill('o-01')
  await expect(rows(page)).toHaveCount(6)
  await expect(page).toHaveURL(/q=o-01/)
  await page.getByRole('button', { name: 'Net' }).click()
  await expect(page.getByText('A search has its own order.')).toBeVisible()
  await search.fill('nothing')
  await expect(
    page.getByText('No record has words that begin with “nothing” and meets the filter.'),
  ).toBeVisible()
  await search.press('Escape')
  await expect(rows(page)).toHaveCount(16)
})

test('a search without a word and one for a long text are explained, and an order by a field that was removed is ignored', async ({
  studio,
}) => {
  const { page } = studio
  await layOrders(studio, 3)
  await page.goto(`${studio.url}/records/order?order=removed:asc`)
  await expect(rows(page)).toHaveCount(4)
  const search = page.getByRole('searchbox', { name: 'Search Order' })
  await search.fill('%')
  await expect(page.getByText('has no letter or digit to search for')).toBeVisible()
  await expect(rows(page)).toHaveCount(4)
  await search.fill('O-001 '.repeat(40))
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('a click anywhere in the head of a column sorts the records by it', async ({ studio }) => {
  const { page } = studio
  await layOrders(studio, 3)
  await page.goto(`${studio.url}/records/order`)
  const head = page.getByRole('columnheader', { name: 'Number' })
  const { width, height } = (await head.boundingBox())!
  await head.click({ position: { x: width - 3, y: height - 3 } })
  await expect(head).toHaveAttribute('aria-sort', 'ascending')
  await head.getByRole('button').click()
  await expect(head).toHaveAttribute('aria-sort', 'descending')
  await expect(rows(page).nth(1)).toContainText('O-002')
})

test('a list begins at its first record, and shows how many records it has on all pages', async ({
  studio,
}) => {
  const { page } = studio
  await layOrders(studio, 60)
  await page.goto(`${studio.url}/records/order?order=number:asc`)
  await expect(page.getByText('1 to 50 of 60')).toBeVisible()
  await expect(row(page, 'O-000').getByRole('gridcell').first()).toHaveAttribute('aria-selected', 'true')
  await grid(page).focus()
  await page.keyboard.press('ArrowDown')
  await expect(row(page, 'O-001').getByRole('gridcell').first()).toHaveAttribute('aria-selected', 'true')

  // The number follows the filter and what others add.
  await page.goto(`${studio.url}/records/order?filter=${encodeURIComponent('net < 55')}`)
  await expect(page.getByText('1 to 50 of 55')).toBeVisible()
  const { records } = await studio.call<{ records: Saved[] }>('POST', '/data/v3/query', {
    ...{ object: 'order', fields: ['number'], filter: 'net == 59', limit: 1 },
  })
  await change(studio, [{ op: 'update', id: records[0]!.id, fields: { net: '5' } }])
  await expect(page.getByText('1 to 50 of 56')).toBeVisible()
  await page.getByRole('button', { name: 'Recompute…' }).click()
  await expect(page.getByRole('dialog')).toContainText('the 56 records that meet the filter')
})

test('the way back from a record leads to the page, the order and the cell of the list', async ({
  studio,
}) => {
  const { page } = studio
  await layOrders(studio, 130)
  await page.goto(`${studio.url}/records/order?order=number:desc`)
  await expect(rows(page).nth(1)).toContainText('O-129')
  await page.getByRole('button', { name: 'Next 50' }).click()
  await expect(page.getByText('51 to 100')).toBeVisible()
  await row(page, 'O-040').getByRole('gridcell').nth(3).click()
  await row(page, 'O-040').getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'O-040' })).toBeVisible()
  await page.goBack()
  await expect(page.getByText('51 to 100')).toBeVisible()
  await expect(rows(page).nth(1)).toContainText('O-079')
  await expect(row(page, 'O-040').getByRole('gridcell').first()).toHaveAttribute('aria-selected', 'true')
  await expect(row(page, 'O-040')).toBeInViewport()
  await page.reload()
  await expect(page.getByText('51 to 100')).toBeVisible()
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect(page.getByText('1 to 50')).toBeVisible()
  await expect(page).not.toHaveURL(/page=/)

  // A URL of a page to which the user has not gone shows the first one.
  await page.goto(`${studio.url}/records/order?page=7`)
  await expect(page.getByText('1 to 50')).toBeVisible()
})

test('what is typed into an open cell is saved when the user leaves, and kept when a late order arrives', async ({
  studio,
}) => {
  const { page } = studio
  const ids = await layOrders(studio, 10)
  await page.goto(`${studio.url}/records`)
  await page.getByRole('link', { name: 'Order', exact: true }).click()
  await expect(rows(page)).toHaveCount(11)
  const editor = page.getByRole('textbox', { name: /^Net, row/ })

  let answer = (): void => undefined
  const answered = new Promise<void>((done) => (answer = done))
  await page.route('**/data/v3/query', async (route) => {
    await answered
    await route.continue()
  })
  await page.getByRole('button', { name: 'Number' }).click()
  await page.getByRole('button', { name: 'Number' }).click()
  await row(page, 'O-004').getByRole('gridcell').nth(3).dblclick()
  await editor.fill('44')
  answer()
  await page.waitForTimeout(500)
  await expect(editor).toHaveValue('44')
  await page.keyboard.press('Enter')
  await expect(rows(page).nth(1)).toContainText('O-009')
  await expect(row(page, 'O-004')).toContainText('44.00')

  await row(page, 'O-005').getByRole('gridcell').nth(3).dblclick()
  await editor.fill('55')
  await page.goBack()
  await expect(grid(page)).toBeHidden()
  await expect
    .poll(
      async () =>
        (await studio.call<Saved & { fields: object }>('GET', `/data/v3/order/${ids['O-005']}`)).fields,
    )
    .toMatchObject({ net: '55.00' })
})

test('the progress of a recompute is found again, by the user who left the page and by others', async ({
  studio,
}) => {
  const { page } = studio
  await layOrders(studio, 3)
  await page.goto(`${studio.url}/records/order`)
  // The job is not finished: its state is answered as it was when it began.
  const running = {
    state: 'processing',
    total: 3,
    done: 1,
    changed: 0,
    failed: 0,
    failures: [],
    problem: null,
  }
  await page.route(/\/setup\/v3\/jobs(\/[^/?]+)?(\?|$)/, async (route) => {
    const response = await route.fetch()
    const json = (await response.json()) as { jobs?: object[] }
    const jobs = json.jobs?.map((job) => ({ ...job, ...running }))
    await route.fulfill({ response, json: { ...json, ...(jobs === undefined ? running : { jobs }) } })
  })
  const progress = page.getByText('Recomputing: 1 of 3 records…')
  await page.getByRole('button', { name: 'Recompute…' }).click()
  await page.getByRole('button', { name: 'Recompute the records' }).click()
  await expect(progress).toBeVisible()
  await page.getByRole('link', { name: 'Buyer', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Buyer' })).toBeVisible()
  await expect(progress).toBeHidden()
  await page.getByRole('link', { name: 'Order', exact: true }).click()
  await expect(progress).toBeVisible()
  await page.reload()
  await expect(progress).toBeVisible()
  await page.unrouteAll()
  await page.reload()
  await expect(rows(page)).toHaveCount(4)
  await expect(progress).toBeHidden()
})
