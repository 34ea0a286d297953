// Records are edited in the grid: each commit saves its record, and what is refused stays as it was typed.
import type { Locator, Page } from '@playwright/test'
import { violations } from './support/axe.ts'
import { layRecords, type Saved } from './support/orders.ts'
import { expect, test, testInOwnPage, type Studio } from './support/test.ts'

const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Order' })
/** The cell of an order in the column that starts with `head`. */
async function cellOf(page: Page, order: string, head: string): Promise<Locator> {
  const heads = await grid(page).getByRole('columnheader').allInnerTexts()
  const at = heads.findIndex((text) => text.toLowerCase().startsWith(head.toLowerCase()))
  return grid(page).getByRole('row').filter({ hasText: order }).first().getByRole('gridcell').nth(at)
}

/** Three orders of 2020 at a duty of 16 %. */
async function layOrders(studio: Studio): Promise<Record<string, string>> {
  const ids = await layRecords(studio)
  for (const [at, number] of ['O-1', 'O-2', 'O-3'].entries()) {
    const { id } = await studio.call<Saved>('POST', '/data/v3/order', {
      ...{ number, buyer: ids['Packhaus Hamm'], placed: '2020-08-15', net: String(100 * (at + 1)) },
    })
    ids[number] = id
  }
  await studio.page.goto(`${studio.url}/records/order`)
  await expect(grid(studio.page).getByRole('row')).toHaveCount(4)
  return ids
}

test.beforeEach(() => test.setTimeout(120_000))
testInOwnPage.use({ timezoneId: 'America/New_York' })

test('cells are edited by their type, and the computed ones follow', async ({ studio }) => {
  const { page } = studio
  const ids = await layOrders(studio)
  const [net, duty] = [await cellOf(page, 'O-1', 'Net'), await cellOf(page, 'O-1', 'Duty')]

  // A double-click opens the exact text, Enter saves it and goes down.
  await net.dblclick()
  const editor = page.getByRole('textbox', { name: 'Net, row 1' })
  await expect(editor).toHaveValue('100.00')
  await editor.fill('250.5')
  await page.keyboard.press('Enter')
  await expect(net).toHaveText('250.50')
  await expect(duty).toHaveText('40.08')
  await expect(await cellOf(page, 'O-2', 'Net')).toHaveAttribute('aria-selected', 'true')

  // Typing replaces the text, Escape restores it, Tab saves and goes right.
  await page.keyboard.type('7')
  await page.keyboard.press('Escape')
  await expect(await cellOf(page, 'O-2', 'Net')).toHaveText('200.00')
  await page.keyboard.press('F2')
  await page.keyboard.type('20')
  await page.keyboard.press('Tab')
  await expect(await cellOf(page, 'O-2', 'Duty')).toHaveText('3.20')
  await expect(await cellOf(page, 'O-2', 'Duty')).toHaveAttribute('aria-selected', 'true')

  // A formula is not edited, and the page shows why.
  await page.keyboard.press('Enter')
  await expect(page.getByText('Duty is a formula: the server computes it')).toBeVisible()

  // A date as people write it gives the rate of its day.
  await (await cellOf(page, 'O-3', 'Placed on')).dblclick()
  await page.getByRole('textbox', { name: 'Placed on, row 3' }).fill('1.3.2022')
  await page.keyboard.press('Enter')
  await expect(await cellOf(page, 'O-3', 'Duty')).toHaveText('57.00')

  // A reference is picked in the lookup field.
  const buyer = await cellOf(page, 'O-3', 'Buyer')
  await buyer.click()
  await page.keyboard.type('nord')
  await page.getByRole('option', { name: 'Nordlicht Verlag' }).waitFor()
  await page.keyboard.press('Enter')
  await expect(buyer).toHaveText('Nordlicht Verlag')
  await expect(page.getByText('saving')).toHaveCount(0)
  await buyer.dblclick()
  await page.keyboard.press('Escape')
  await expect(buyer).toHaveText('Nordlicht Verlag')
  await expect(grid(page)).toBeFocused()
  const stored = await studio.call<{ fields: object; version: number }>('GET', `/data/v3/order/${ids['O-3']}`)
  expect(stored.fields).toMatchObject({ buyer: ids['Nordlicht Verlag'], placed: '2022-03-01', duty: '57.00' })
  expect(stored.version).toBe(3)
  await page.reload()
  await expect(buyer).toHaveText('Nordlicht Verlag')
})

test('a refused save keeps what was typed, explains it, and is tried again or discarded', async ({
  studio,
}) => {
  const { page } = studio
  await layOrders(studio)
  const net = await cellOf(page, 'O-2', 'Net')
  await net.click()
  await page.keyboard.type('-5')
  await page.keyboard.press('Enter')
  await expect(net).toHaveText('-5')
  await expect(net).toHaveAttribute('aria-invalid', 'true')
  const fault = page.getByRole('group', { name: 'Not saved' })
  await expect(fault).toContainText('Net “-5” is not saved. The net amount is negative.')
  expect(await violations(page)).toEqual([])

  // It stays while other pages are shown, and on the page of the record.
  await page.getByRole('link', { name: 'O-2' }).click()
  await expect(page.getByRole('textbox', { name: 'Net' })).toHaveValue('-5')
  await page.goBack()
  await expect(fault).toBeVisible()
  await fault.getByRole('button', { name: 'Try again' }).click()
  await expect(fault).toContainText('The net amount is negative.')
  await fault.getByRole('button', { name: 'Discard' }).click()
  await expect(net).toHaveText('200.00')
  await expect(fault).toHaveCount(0)

  const number = await cellOf(page, 'O-2', 'Number')
  await net.click()
  await page.keyboard.press('Home')
  await page.keyboard.press('Delete')
  await expect(fault).toContainText('Number An empty value is not saved. Number is required.')
  await fault.getByRole('button', { name: 'Discard' }).click()
  await expect(number).toHaveText('O-2')

  // Typed again over the refused value.
  await net.click()
  await page.keyboard.type('abc')
  await page.keyboard.press('Tab')
  await expect(fault).toContainText('“abc” is not saved.')
  await net.dblclick()
  await expect(page.getByRole('textbox', { name: 'Net, row 2' })).toHaveValue('abc')
  await page.keyboard.type('1e')
  await page.keyboard.press('Escape')
  await page.keyboard.type('10')
  await page.keyboard.press('Enter')
  await expect(net).toHaveText('10.00')
  await expect(fault).toHaveCount(0)
})

test('the explanation of a long refused text is short, with the whole text on demand, and wraps', async ({
  studio,
}) => {
  const { page } = studio
  await layOrders(studio)
  const long = 'x'.repeat(500)
  const net = await cellOf(page, 'O-1', 'Net')
  await net.dblclick()
  await page.getByRole('textbox', { name: 'Net, row 1' }).fill(long)
  await page.keyboard.press('Enter')
  const note = page.getByRole('group', { name: 'Not saved' })
  await expect(note).toContainText('xxx…')
  await expect(note).toContainText(/Net\s*It is not saved\. .+ is not a number: write digits/)
  await expect(note).not.toContainText(long)
  const width = await note.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
  expect(width).toBe(0)
  await note.getByRole('button', { name: 'Show all' }).click()
  await expect(note).toContainText(long)
  expect(await note.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
})

test('a value that a different user changed in the meantime is shown beside the typed one', async ({
  studio,
}) => {
  const { page, call } = studio
  const ids = await layOrders(studio)
  const change = (fields: object): Promise<unknown> =>
    call('POST', '/data/v3/order/batch', { records: [{ op: 'update', id: ids['O-1'], fields }] })
  const net = await cellOf(page, 'O-1', 'Net')
  const fault = page.getByRole('group', { name: 'Not saved' })
  // The saves arrive before the list has read the changes.
  const isRead = Promise.withResolvers<void>()
  await page.route('**/data/v3/query', async (route) => {
    await isRead.promise
    await route.continue()
  })
  await change({ net: '111' })
  await net.click()
  await page.keyboard.type('150')
  await page.keyboard.press('Enter')
  await expect(fault).toContainText(
    'Administrator changed it from 100.00 to 111.00 in the meantime. You entered 150.',
  )
  await fault.getByRole('button', { name: 'Keep theirs' }).click()
  await expect(net).toHaveText('111.00')

  await change({ placed: '2022-01-01' })
  await net.click()
  await page.keyboard.type('160')
  await page.keyboard.press('Enter')
  await expect(fault).toContainText(
    'Administrator changed Placed on in the meantime. You entered 160; it still is 111.00.',
  )
  isRead.resolve()
  await expect(await cellOf(page, 'O-1', 'Duty')).toHaveText('21.09')
  await fault.getByRole('button', { name: 'Save mine' }).click()
  await expect(net).toHaveText('160.00')
  await expect(await cellOf(page, 'O-1', 'Duty')).toHaveText('30.40')
})

test('cells are filled down, cleared and pasted, each record with one save', async ({ studio, context }) => {
  const { page, call } = studio
  const ids = await layOrders(studio)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const net = async (order: string): Promise<Locator> => cellOf(page, order, 'Net')
  await (await net('O-1')).click()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Control+d')
  await expect(await net('O-3')).toHaveText('100.00')
  await expect(page.getByText('2 cells filled in 2 records.')).toBeVisible()

  // Date and amount of two orders; the duty is not pasted over.
  await page.evaluate(() => navigator.clipboard.writeText('2022-01-01\t10\t99\n2022-01-02\t20\t99'))
  await (await cellOf(page, 'O-2', 'Placed on')).click()
  await page.keyboard.press('Control+v')
  await expect(await cellOf(page, 'O-3', 'Duty')).toHaveText('3.80')
  await expect(
    page.getByText('4 cells pasted in 2 records. 2 cells are left out: Duty is a formula'),
  ).toBeVisible()
  const { version } = await call<Saved>('GET', `/data/v3/order/${ids['O-2']}`)
  expect(version).toBe(3)

  // One that is refused is not counted.
  await page.evaluate(() => navigator.clipboard.writeText('11\n-5\n12'))
  await (await net('O-1')).click()
  await page.keyboard.press('Control+v')
  await expect(page.getByText('2 cells pasted in 2 records. 1 cell is not saved: Net in O-2.')).toBeVisible()
  await page.getByRole('group', { name: 'Not saved' }).getByRole('button', { name: 'Discard' }).click()

  await (await net('O-3')).click()
  await page.keyboard.press('Delete')
  await expect(await net('O-3')).toHaveText('–')
  await page.keyboard.press('Control+c')
})

test('edits, fills and pastes are undone and redone, but never over the value of a different user', async ({
  studio,
  context,
}) => {
  const { page, call } = studio
  const ids = await layOrders(studio)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const nets = async (): Promise<string[]> =>
    Promise.all(['O-1', 'O-2', 'O-3'].map(async (order) => (await cellOf(page, order, 'Net')).innerText()))
  await (await cellOf(page, 'O-1', 'Net')).click()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Control+d')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('7')
  await page.keyboard.press('Enter')
  await (await cellOf(page, 'O-1', 'Net')).click()
  await page.keyboard.press('Delete')
  await expect.poll(nets).toEqual(['–', '100.00', '7.00'])

  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+z')
  await expect(page.getByText(/^Undone: edit of [A-Z][a-z]+ in O-\d+\.$/)).toBeVisible()
  await expect.poll(nets).toEqual(['100.00', '100.00', '300.00'])
  await expect(await cellOf(page, 'O-3', 'Net')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Control+Shift+z')
  await expect.poll(nets).toEqual(['100.00', '100.00', '7.00'])
  await page.getByRole('button', { name: /^Undo edit of / }).click()
  await expect.poll(nets).toEqual(['100.00', '100.00', '300.00'])

  // The steps stay while other pages are shown, and a refused value is discarded.
  await page.getByRole('link', { name: 'O-2' }).click()
  await page.getByRole('heading', { level: 1, name: 'O-2' }).waitFor()
  await page.goBack()
  await expect(grid(page).getByRole('row')).toHaveCount(4)
  await (await cellOf(page, 'O-1', 'Net')).click()
  await page.keyboard.type('-5')
  await page.keyboard.press('Enter')
  const fault = page.getByRole('group', { name: 'Not saved' })
  await expect(fault).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(fault).toHaveCount(0)
  await expect.poll(nets).toEqual(['100.00', '100.00', '300.00'])

  // A name that the page does not show is looked up, in any case.
  await page.evaluate(() => navigator.clipboard.writeText('NORDLICHT verlag\nNobody'))
  await (await cellOf(page, 'O-1', 'Buyer')).click()
  await page.keyboard.press('Control+v')
  await expect(await cellOf(page, 'O-1', 'Buyer')).toHaveText('Nordlicht Verlag')
  await expect(page.getByText('No record of Buyer has the name “Nobody”.')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(await cellOf(page, 'O-1', 'Buyer')).toHaveText('Packhaus Hamm')

  // Others changed what was filled.
  await call('POST', '/data/v3/order/batch', {
    records: [{ op: 'update', id: ids['O-2'], fields: { net: '55' } }],
  })
  await page.keyboard.press('Control+z')
  await expect(
    page.getByText('Undone: fill down. 1 cell (Net) is as before, because Administrator changed it since.'),
  ).toBeVisible()
  await expect.poll(nets).toEqual(['100.00', '55.00', '300.00'])
})

test('a refusal moves no row: the second click of a double-click is in the same cell', async ({ studio }) => {
  const { page } = studio
  await layOrders(studio)
  const before = await (await cellOf(page, 'O-3', 'Number')).boundingBox()
  await (await cellOf(page, 'O-1', 'Net')).click()
  await page.keyboard.type('-5')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('group', { name: 'Not saved' })).toContainText('O-1')
  expect(await (await cellOf(page, 'O-3', 'Number')).boundingBox()).toEqual(before)
})

testInOwnPage('yes or no, a value of a value set and a moment are picked or typed', async ({ studio }) => {
  const { page, call } = studio
  await layRecords(studio)
  const administrator = await call<{ component: { body: { objects: object; fields: object } } }>(
    'GET',
    '/metadata/v3/components/permission_set/administrator',
  )
  const { component } = administrator
  const fields = [
    { key: 'title', label: 'Title', type: 'text' },
    { key: 'paid', label: 'Paid', type: 'boolean' },
    { key: 'state', label: 'State', type: 'enum', valueSet: 'states' },
    { key: 'sent', label: 'Sent', type: 'datetime' },
    { key: 'code', label: 'Code', type: 'text' },
  ]
  const edit = Object.fromEntries(
    fields.map(({ key }) => [`note.${key}`, { read: true, edit: key !== 'code' }]),
  )
  const states = [
    { key: 'draft', label: 'In work' },
    { key: 'final', label: 'Closed' },
  ]
  const rights = { create: true, read: true, update: true, delete: true, viewAll: true, modifyAll: true }
  await call('POST', '/metadata/v3/apply', {
    components: [
      { type: 'value_set', key: 'states', label: 'States', body: { values: states } },
      { type: 'object', key: 'note', label: 'Note', body: { nameField: 'title', fields } },
      {
        ...component,
        body: {
          ...component.body,
          objects: { ...component.body.objects, note: rights },
          fields: { ...component.body.fields, ...edit },
        },
      },
    ],
    rationale: 'Notes',
  })
  await call('POST', '/data/v3/note', { title: 'N-1' })
  await page.goto(`${studio.url}/records/note`)
  const cells = page.getByRole('grid', { name: 'Note' }).getByRole('row').nth(1).getByRole('gridcell')
  const [paid, state, sent, code] = [cells.nth(1), cells.nth(2), cells.nth(3), cells.nth(4)]

  // The space bar turns yes into no; a letter offers what begins with it.
  await paid.click()
  await page.keyboard.press('Space')
  await expect(paid).toHaveText('yes')
  await page.keyboard.press('Space')
  await expect(paid).toHaveText('no')
  await state.dblclick()
  await page.getByRole('option', { name: 'Closed', exact: true }).click()
  await expect(state).toHaveText('Closed')
  await page.keyboard.type('in w')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await expect(state).toHaveText('In work')
  // A moment is typed and shown in the time zone of the user, which is said.
  await page.keyboard.type('31.1.2026 23:30')
  await expect(page.getByText('31 Jan 2026, 23:30, New York time')).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(sent).toHaveText('31 Jan 2026, 23:30')
  await expect(page.getByRole('columnheader', { name: 'Sent' })).toContainText('New York time')
  await sent.dblclick()
  await expect(page.getByRole('textbox', { name: 'Sent, row 1' })).toHaveValue('2026-01-31 23:30')
  await page.keyboard.press('Tab')
  await page.keyboard.press('F2')
  await expect(page.getByText('You can read Code, but not change it.')).toBeVisible()
  await expect(code).toHaveAttribute('aria-readonly', 'true')
  const { records } = await call<{ records: Saved[] }>('POST', '/data/v3/query', {
    ...{ object: 'note', fields: ['paid', 'state', 'sent'] },
  })
  expect(records).toMatchObject([{ fields: { paid: false, state: 'draft', sent: '2026-02-01T04:30:00Z' } }])

  // The name is edited with the keyboard, and Alt with Enter opens the record.
  await page.getByRole('grid').focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('F2')
  await page.keyboard.type('N-2')
  await page.keyboard.press('Enter')
  await expect(cells.nth(0)).toHaveText('N-2')
  await page.keyboard.press('Alt+Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'N-2' })).toBeVisible()
})

for (const width of [1440, 390])
  test(`axe finds nothing while a cell is edited, and the page fits ${width} px`, async ({ studio }) => {
    const { page } = studio
    await layOrders(studio)
    await page.setViewportSize({ width, height: 844 })
    await (await cellOf(page, 'O-1', 'Net')).dblclick()
    expect.soft(await violations(page)).toEqual([])
    await page.keyboard.type('-1')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('group', { name: 'Not saved' })).toBeVisible()
    for (const name of [/^Undo edit/, 'Previous', 'Next 50'])
      await expect.soft(page.getByRole('button', { name })).toBeInViewport({ ratio: 1 })
    await (await cellOf(page, 'O-2', 'Buyer')).dblclick()
    await page.getByRole('option', { name: 'Nordlicht Verlag' }).waitFor()
    expect.soft(await violations(page)).toEqual([])
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect.soft(overflow).toBeLessThanOrEqual(0)
  })

test('the text in an open cell is there again after a reload, even if its record is on a different page or was changed', async ({
  studio,
}) => {
  const { page } = studio
  const ids = await layOrders(studio)
  const net = await cellOf(page, 'O-2', 'Net')
  await net.dblclick()
  const editor = page.getByRole('textbox', { name: 'Net, row 2' })
  await editor.fill('77')
  await page.reload()
  await expect(editor).toHaveValue('77')
  await expect(editor).toBeFocused()
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(net).toHaveText('200.00')
  await expect(editor).toHaveCount(0)

  // The text with which a reference is looked for.
  await (await cellOf(page, 'O-2', 'Buyer')).click()
  await page.keyboard.type('nord')
  await page.reload()
  await page.getByRole('option', { name: 'Nordlicht Verlag' }).waitFor()
  await page.keyboard.press('Enter')
  await expect(await cellOf(page, 'O-2', 'Buyer')).toHaveText('Nordlicht Verlag')
  await expect(page.getByText('saving')).toHaveCount(0)

  // What others stored in the meantime is shown beside it.
  await net.dblclick()
  await editor.fill('78')
  await page.goto(`${studio.url}/time`)
  const change = { op: 'update', id: ids['O-2'], fields: { net: '300' } }
  await studio.call('POST', '/data/v3/order/batch', { records: [change] })
  await page.goto(`${studio.url}/records/order?filter=${encodeURIComponent('number != "O-2"')}`)
  await expect(page.getByText('“78” is in Net of a record that is not on this page.')).toBeVisible()
  await page.goto(`${studio.url}/records/order`)
  await expect(net).toHaveText('78')
  const fault = page.getByRole('group', { name: 'Not saved' })
  await expect(fault).toContainText('You entered 78')
  await fault.getByRole('button', { name: 'Try again' }).click()
  await expect(fault).toContainText('from 200.00 to 300.00')
})

test('a cell that is edited while the server does not respond is saved when it responds again', async ({
  studio,
  context,
}) => {
  const { page } = studio
  await layOrders(studio)
  const net = await cellOf(page, 'O-2', 'Net')
  await net.click()
  await context.setOffline(true)
  await page.keyboard.type('250')
  await page.keyboard.press('Enter')
  const fault = page.getByRole('group', { name: 'Not saved' })
  await expect(fault).toContainText('It is saved when the server responds again.')
  await context.setOffline(false)
  await expect(net).toHaveText('250.00')
  await expect(fault).toHaveCount(0)
})
